#pragma once
// What:     the subcommands of `outrider`, one function each: it declares options and sets what
//           runs when the command is chosen.
// Contract: the work's exit code is left in `exit_code`; wrong values are CLI11's errors.

#include <CLI/App.hpp>

namespace outrider::cli {

void add_path_command(CLI::App& app, int& exit_code);
// group, nearest, reach, field, matrix, connected, sight.
void add_survey_commands(CLI::App& app, int& exit_code);
void add_scen_command(CLI::App& app, int& exit_code);
void add_dynamic_command(CLI::App& app, int& exit_code);
void add_load_command(CLI::App& app, int& exit_code);
void add_hostile_command(CLI::App& app, int& exit_code);
void add_soak_command(CLI::App& app, int& exit_code);
void add_demo_command(CLI::App& app, int& exit_code);
void add_record_command(CLI::App& app, int& exit_code, std::string version);
void add_replay_command(CLI::App& app, int& exit_code);
// list, load, drop.
void add_map_command(CLI::App& app, int& exit_code);
void add_ping_command(CLI::App& app, int& exit_code);
void add_bench_command(CLI::App& app, int& exit_code, std::string program);

}  // namespace outrider::cli
