#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "daemon/cli/command.h"
#include "daemon/cli/open_store.h"
#include "daemon/http/routes.h"
#include "daemon/http/server_run.h"

namespace modelwatch::cli {
namespace {

struct ServeOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8917;
  std::string hub = "https://huggingface.co";
};

Result<int> serve(const Program& program, const ServeOptions& options, Console& console) {
  auto store = open_store(program, storage::Access::read_only);
  if (!store) return tl::unexpected(store.error());
  const http::Backend backend{*store, options.hub};
  const auto ended = http::run_server(
      options.address, options.port, [&](const http::Request& request) { return http::route(request, backend); },
      [&](std::uint16_t port) { console.err << "serving http://" << options.address << ":" << port << "/ until Ctrl-C" << std::endl; });
  if (!ended) return tl::unexpected(ended.error());
  return 0;
}

}  // namespace

void add_serve(CLI::App& app, Program& program) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* verb = app.add_subcommand("serve", "HTTP only, over an existing database (the daemon serves too)");
  verb->add_option("--address", options->address, "IP address to listen on")->capture_default_str();
  verb->add_option("--port", options->port, "Port; 0 takes a free one")->capture_default_str();
  verb->add_option("--hub", options->hub, "What advisories call the Hub (hub.identity of the daemon)")->capture_default_str();
  verb->callback([&program, options] { program.run = [&program, options](Console& console) { return serve(program, *options, console); }; });
}

}  // namespace modelwatch::cli
