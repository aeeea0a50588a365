// Stands in for libFuzzer's main: runs the fuzz target over every file of the folders named on the command line,
// each also cut in half and with its bits disturbed, by a fixed rule.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void feed(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

void replay(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  feed(bytes);
  feed(bytes.substr(0, bytes.size() / 2));
  std::string disturbed = bytes;
  for (std::size_t i = 0, step = bytes.size() / 64 + 1; i < bytes.size(); i += step) {
    disturbed[i] = static_cast<char>(disturbed[i] ^ (1 << (i % 8)));
    feed(disturbed);
    disturbed[i] = bytes[i];
  }
}

}  // namespace

int main(int argc, char** argv) {
  int files = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(argv[i]))
      if (entry.is_regular_file()) {
        replay(entry.path());
        ++files;
      }
  std::cout << files << " inputs replayed\n";
  return files > 0 ? 0 : 1;
}
