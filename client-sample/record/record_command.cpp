#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "record/recorder.hpp"

namespace outrider::cli {
namespace {

struct RecordOptions {
    ServerOptions server;
    std::string listen{"127.0.0.1:7601"};
    std::string map;
    std::string file;
    bool overwrite{false};
    std::string program_version;
};

base::Result<record::RecorderOptions> recorder_options_of(const RecordOptions& options) {
    auto server = parse_endpoint(options.server.server);
    auto listen = parse_listen_endpoint(options.listen);
    if (!server || !listen) {
        return std::unexpected((server ? listen : server).error());
    }
    record::RecorderOptions out;
    out.listen_host = std::move(listen->host);
    out.listen_port = std::move(listen->port);
    out.server = client_options_of(options.server, *std::move(server));
    out.map_name = options.map;
    out.file = options.file;
    out.overwrite = options.overwrite;
    out.program_version = options.program_version;
    out.trouble = [](const std::string& what) { failed(what); };
    return out;
}

int run_record(const RecordOptions& options) {
    auto recorder_options = recorder_options_of(options);
    if (!recorder_options) {
        return failed(recorder_options.error().message);
    }
    auto recorder = record::Recorder::start(*std::move(recorder_options));
    if (!recorder) {
        return failed(recorder.error().message);
    }
    (*recorder)->stop_on_signals();
    // Scripts wait for this line, as for the server's.
    std::printf("listening on %s\n", (*recorder)->address().c_str());
    std::fflush(stdout);
    (*recorder)->run();
    const record::RecordingCounts counts = (*recorder)->finish();
    std::printf("recorded %llu requests and %llu versions of %s in %llu bytes: %s\n",
                static_cast<unsigned long long>(counts.requests),
                static_cast<unsigned long long>(counts.versions), options.map.c_str(),
                static_cast<unsigned long long>(counts.bytes), options.file.c_str());
    if (counts.unrecorded > 0) {
        std::printf("left out %llu requests that could not be told apart\n",
                    static_cast<unsigned long long>(counts.unrecorded));
    }
    return (*recorder)->fault() ? kExitFailed : kExitOk;
}

}  // namespace

void add_record_command(CLI::App& app, int& exit_code, std::string version) {
    const auto options = std::make_shared<RecordOptions>();
    options->program_version = std::move(version);
    CLI::App* command = app.add_subcommand(
        "record", "Stand between clients and a server and save what passes as a file");
    add_server_options(*command, options->server);
    command->add_option("--listen", options->listen, "Where clients connect instead")
        ->check(checked(parse_listen_endpoint, "HOST:PORT"))
        ->capture_default_str();
    command->add_option("--map", options->map, "Name of the map on the server")->required();
    command->add_option("--out", options->file, "The recording")->required();
    command->add_flag("--overwrite", options->overwrite, "Also where that file is there already");
    command->footer(
        "Records the map, every later edit whoever makes it, and each path request for that map\n"
        "that passes, with its outcome, cost and hash. Ends on SIGINT or SIGTERM; a recorder that\n"
        "is killed leaves a file that can be replayed, too. Tokens are not recorded.");
    command->callback([options, &exit_code] { exit_code = run_record(*options); });
}

}  // namespace outrider::cli
