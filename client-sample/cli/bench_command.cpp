#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace outrider::cli {
namespace {

// Beside this program when installed, and where ./dev.sh bench builds them.
std::filesystem::path find_program(const std::filesystem::path& self, const std::string& name) {
    const std::filesystem::path beside = self.parent_path();
    for (const auto& place :
         {beside / name, beside.parent_path().parent_path() / "bench" / "bin" / name}) {
        std::error_code ignored;
        if (std::filesystem::exists(place, ignored)) {
            return place;
        }
    }
    return {};
}

int run_bench(const std::filesystem::path& self, const std::string& name,
              const std::vector<std::string>& arguments) {
    const std::filesystem::path program = find_program(self, name + "_bench");
    if (program.empty()) {
        return failed("the benchmark '" + name +
                      "' is not built; in the source tree run: "
                      "./dev.sh bench " +
                      name);
    }
    std::vector<char*> argv;
    std::string path = program.string();
    argv.push_back(path.data());
    std::vector<std::string> copies = arguments;
    for (std::string& argument : copies) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
    return failed("cannot run " + path);
}

}  // namespace

void add_bench_command(CLI::App& app, int& exit_code, std::string program) {
    struct Options {
        std::string name{"search"};
        std::vector<std::string> arguments;
    };
    const auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("bench", "Run the micro-benchmarks");
    command->add_option("name", options->name, "search, instructions, field, engine, net or map")
        ->check(CLI::IsMember({"search", "instructions", "field", "engine", "net", "map"}))
        ->capture_default_str();
    command->add_option("arguments", options->arguments,
                        "Handed to the benchmark; write -- before those that begin with --");
    command->callback([options, &exit_code, program = std::move(program)] {
        exit_code = run_bench(program, options->name, options->arguments);
    });
}

}  // namespace outrider::cli
