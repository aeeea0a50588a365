#include "advisories/manifest/python_source.h"

#include <algorithm>
#include <array>

namespace modelwatch::advisories {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/// Walks Python source; `code` gets each character outside comments, `text` each inside a string literal (quotes too).
template <class Code, class Text>
void walk(std::string_view source, Code code, Text text) {
  for (std::size_t i = 0; i < source.size();) {
    const char c = source[i];
    if (c == '#') {
      i = std::min(source.find('\n', i), source.size());
    } else if (c == '"' || c == '\'') {
      const std::string_view triple = c == '"' ? "\"\"\"" : "'''";
      const bool is_triple = source.substr(i, 3) == triple;
      const std::size_t open = is_triple ? 3 : 1;
      std::size_t end = i + open;
      while (end < source.size()) {
        if (source[end] == '\\') end += 2;
        else if (is_triple ? source.substr(end, 3) == triple : source[end] == c) break;
        else if (!is_triple && source[end] == '\n') break;  // unterminated: the line ends it
        else ++end;
      }
      end = std::min(end + open, source.size());
      for (; i < end; ++i) text(source[i]);
    } else {
      code(c);
      ++i;
    }
  }
}

struct Sign {
  std::string_view words, reach;
};
constexpr std::array kSigns = {
    Sign{"subprocess", "subprocess"}, Sign{"os.system", "subprocess"}, Sign{"os.popen", "subprocess"}, Sign{"pty.spawn", "subprocess"},
    Sign{"requests.", "network"}, Sign{"urllib", "network"}, Sign{"socket", "network"}, Sign{"http.client", "network"}, Sign{"httpx", "network"}, Sign{"aiohttp", "network"},
    Sign{"hf_hub_download", "network"}, Sign{"snapshot_download", "network"}, Sign{"eval(", "eval"}, Sign{"exec(", "eval"}, Sign{"compile(", "eval"}, Sign{"__import__", "eval"},
    Sign{"importlib", "eval"}, Sign{"pickle", "pickle"}, Sign{"torch.load", "pickle"}, Sign{"joblib", "pickle"}, Sign{"marshal", "pickle"}, Sign{"ctypes", "native code"},
    Sign{"cffi", "native code"}, Sign{"load_inline", "native code"}, Sign{"cpp_extension", "native code"}, Sign{"open(", "files"}, Sign{"shutil", "files"}, Sign{"os.remove", "files"},
    Sign{"trust_remote_code=True", "remote code"}, Sign{"os.environ", "environment"}, Sign{"pip.main", "installs packages"}};

bool occurs(std::string_view code, std::string_view words) {
  for (std::size_t at = code.find(words); at != code.npos; at = code.find(words, at + 1)) {
    // "model.eval(" is PyTorch's, "my_open(" somebody's own.
    const char before = at == 0 ? '\n' : code[at - 1];
    if (!is_word(before) && !(before == '.' && words.back() == '(')) return true;
  }
  return false;
}

void add_imports(std::string_view code, std::set<std::string>& imports) {
  for (std::size_t at = 0; at < code.size(); at = std::min(code.find('\n', at), code.size() - 1) + 1) {
    std::string_view line = code.substr(at, code.find('\n', at) - at);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const bool from = line.starts_with("from ");
    if (!from && !line.starts_with("import ")) continue;
    line.remove_prefix(from ? 5 : 7);
    while (!line.empty() && imports.size() < 500) {
      line.remove_prefix(std::min(line.find_first_not_of(" \t,"), line.size()));
      const std::size_t end = static_cast<std::size_t>(std::find_if_not(line.begin(), line.end(), is_word) - line.begin());
      if (end > 0) imports.emplace(line.substr(0, end));
      const std::size_t comma = from ? line.npos : line.find(',');
      if (comma == line.npos) break;
      line.remove_prefix(comma + 1);
    }
  }
}

}  // namespace

PythonScan scan_python(std::string_view source) {
  std::string code;
  bool installs = false;
  std::string literal;
  walk(source, [&](char c) { code += c; }, [&](char c) { literal += c; });
  installs = literal.find("pip install") != literal.npos || (literal.find("pip") != literal.npos && literal.find("install") != literal.npos && occurs(code, "subprocess"));
  PythonScan scan;
  add_imports(code, scan.imports);
  for (const Sign& sign : kSigns)
    if (occurs(code, sign.words)) scan.reaches.emplace(sign.reach);
  std::string dense;
  std::copy_if(code.begin(), code.end(), std::back_inserter(dense), [](char c) { return c != ' '; });
  if (occurs(dense, "trust_remote_code=True")) scan.reaches.emplace("remote code");
  if (installs) scan.reaches.emplace("installs packages");
  return scan;
}

std::set<std::string> requirement_lines(std::string_view text) {
  std::set<std::string> lines;
  while (!text.empty() && lines.size() < 2000) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find(" #"));
    std::string packed;
    std::copy_if(line.begin(), line.end(), std::back_inserter(packed), [](char c) { return c != ' ' && c != '\t' && c != '\r'; });
    if (!packed.empty() && packed.front() != '#') lines.insert(std::move(packed));
  }
  return lines;
}

std::string without_comments(std::string_view source) {
  std::string code;
  walk(source, [&](char c) { code += c; }, [&](char c) { code += c; });
  std::string out;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    std::string_view line(code.data() + at, end - at);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.remove_suffix(1);
    if (!line.empty()) out.append(line).append("\n");
    at = end + 1;
  }
  return out;
}

}  // namespace modelwatch::advisories
