// Instructions a query, counted by callgrind: the same in every run to a thousandth, however busy
// the machine, so that two commits can be compared.
//
// The program runs itself under valgrind as a child. The child warms a kernel's buffers, then
// answers the questions inside outrider_measured_pass(); callgrind counts in there alone and
// writes one file each time it is left.

#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "bench/bench_maps.hpp"
#include "bench/generated_maps.hpp"
#include "bench/kernel_table.hpp"
#include "bench/smoothing_contest.hpp"

namespace {

struct MeasuredPass {
    const std::vector<outrider::model::PathQuery>* queries;
    const outrider::bench::Contestant* contestant;
    std::uint64_t expansions;
};

}  // namespace

// Its name stands on callgrind's command line, hence the C linkage.
extern "C" [[gnu::noinline]] void outrider_measured_pass(MeasuredPass* pass) {
    for (const outrider::model::PathQuery& query : *pass->queries) {
        pass->expansions += pass->contestant->ask(query).expansions;
    }
}

namespace outrider::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kQuestions = 10;

std::vector<BenchMap> small_maps() {
    const auto generated = [](const char* name, std::function<Ground()> load) {
        return BenchMap{name,
                        "generated",
                        std::move(load),
                        [](const Ground& ground, std::size_t count) {
                            return random_questions(ground, count, 0);
                        },
                        kQuestions,
                        1};
    };
    std::vector<BenchMap> maps{
        generated("noise 20 % 512", [] { return ground_of(noise_grid(512, 20)); }),
        generated("rooms 512", [] { return ground_of(rooms_grid(512)); }),
        generated("caves 512", [] { return ground_of(caves_grid(512)); }),
        generated("mixed 512",
                  [] { return ground_of(with_terrain(open_grid(512)), model::terrain_class()); })};
    if (has_data()) {
        for (const char* name : {"arena2", "brc202d", "Aurora", "32room_000"}) {
            maps.push_back(scenario_map(name));
        }
    }
    return maps;
}

// Says for each pass, in order, what it was: map, kernel and expansions, parted by tabs.
void run_child() {
    const search::BuffersPtr buffers = search::make_buffers();
    for (const BenchMap& map : small_maps()) {
        const Ground ground = map.load();
        const auto queries = map.questions(ground, kQuestions);
        std::vector<Contestant> contestants = kernels_on(ground, queries, {}, 1);
        std::ranges::move(smoothing_on(ground, queries), std::back_inserter(contestants));
        for (const Contestant& contestant : contestants) {
            // Dijkstra is too dear under valgrind, and jump points have a row already.
            if (contestant.name == "Dijkstra" || contestant.name == "auto = JPS") {
                continue;
            }
            MeasuredPass pass{&queries, &contestant, 0};
            for (const model::PathQuery& query : queries) {
                (void)contestant.ask(query);  // warms its buffers
            }
            outrider_measured_pass(&pass);
            std::cout << map.name << '\t' << contestant.name << '\t' << pass.expansions << '\n';
        }
    }
}

// The `totals:` line of a file of callgrind's.
double instructions_in(const fs::path& file) {
    std::ifstream text(file);
    for (std::string line; std::getline(text, line);) {
        if (line.starts_with("totals: ")) {
            return std::stod(line.substr(8));
        }
    }
    give_up(file.string() + " has no totals: did valgrind end early?");
}

std::vector<std::string> lines_of(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) {
        give_up("cannot run " + command);
    }
    std::string text;
    char piece[4096];
    for (std::size_t read = 0; (read = std::fread(piece, 1, sizeof piece, pipe)) > 0;) {
        text.append(piece, read);
    }
    if (pclose(pipe) != 0) {
        give_up("failed: " + command);
    }
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

void print_line(const std::string& line, double instructions) {
    std::istringstream stream(line);
    std::string map;
    std::string name;
    double expansions = 0;
    std::getline(stream, map, '\t');
    std::getline(stream, name, '\t');
    stream >> expansions;
    std::printf("  %-16s %-17s %14.0f %12.0f %14.1f\n", map.c_str(), name.c_str(),
                instructions / kQuestions, expansions / kQuestions, instructions / expansions);
}

void run_parent() {
    if (std::system("command -v valgrind >/dev/null") != 0) {
        std::printf("instructions: skipped, no valgrind here\n");
        return;
    }
    std::string pattern = (fs::temp_directory_path() / "outrider-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        give_up("cannot make a directory like " + pattern);
    }
    const fs::path directory = pattern;
    const auto lines = lines_of(
        "valgrind -q --tool=callgrind --callgrind-out-file=" + (directory / "out").string() +
        " --toggle-collect=outrider_measured_pass"
        " --dump-after=outrider_measured_pass " +
        fs::read_symlink("/proc/self/exe").string() + " --child");
    std::printf("  %-16s %-17s %14s %12s %14s\n", "", "", "instr. a query", "expanded",
                "an expansion");
    for (std::size_t i = 0; i < lines.size(); ++i) {
        print_line(lines[i], instructions_in(directory / ("out." + std::to_string(i + 1))));
    }
    fs::remove_all(directory);
}

}  // namespace
}  // namespace outrider::bench

int main(int count, char** arguments) {
    bool child = false;
    CLI::App app("Instructions a query, counted by callgrind");
    app.add_flag("--child", child, "What the program calls itself with, under valgrind");
    CLI11_PARSE(app, count, arguments);
    child ? outrider::bench::run_child() : outrider::bench::run_parent();
}
