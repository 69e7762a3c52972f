// How long one slice of each kind of survey takes, beside one of a path: on a server with one
// worker a short query waits for the slice that runs. Large questions, each asked several times;
// the first time warms up. CPU time of the thread, so that other programs do not count.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "bench/bench_maps.hpp"
#include "bench/generated_maps.hpp"
#include "bench/noise.hpp"
#include "outrider/base/check.hpp"
#include "outrider/engine/config.hpp"
#include "outrider/search/survey.hpp"

namespace outrider::bench {
namespace {

constexpr std::size_t kTimes = 4;

struct Options {
    bool terrain{false};
    std::uint64_t slice{engine::Config{}.expansions_per_slice};
    std::string map{"Aurora"};
};

double thread_us() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

struct Times {
    std::vector<double> slices_us;
    std::uint64_t work{};

    void print(const char* name) {
        std::ranges::sort(slices_us);
        double sum = 0;
        for (const double us : slices_us) {
            sum += us;
        }
        const auto at = [&](double share) {
            const auto last = static_cast<double>(slices_us.size() - 1);
            return slices_us[static_cast<std::size_t>(last * share)];
        };
        std::printf("%-34s %7zu %8.1f %8.1f %8.1f %8.1f %9.1f\n", name, slices_us.size(), at(0.5),
                    at(0.99), at(0.999), at(1), sum * 1e3 / static_cast<double>(work));
    }
};

class Places {
  public:
    explicit Places(const map::Layer& layer) : layer_(layer), main_(main_cell()) {}

    // In the largest region, most likely.
    [[nodiscard]] model::Cell main() const { return main_; }
    model::Cell connected() {
        for (;;) {
            const model::Cell cell = anywhere();
            if (layer_.open(cell) && component(cell) == component(main_)) {
                return cell;
            }
        }
    }
    model::Cell anywhere() { return {noise_.below(layer_.width()), noise_.below(layer_.height())}; }
    template <class Draw>
    static std::vector<model::Cell> list(std::size_t count, Draw draw) {
        std::vector<model::Cell> cells;
        while (cells.size() < count) {
            cells.push_back(draw());
        }
        return cells;
    }

  private:
    [[nodiscard]] map::Component component(model::Cell cell) const {
        return layer_.regions().component(cell);
    }
    model::Cell main_cell() {
        for (;;) {
            const model::Cell a = anywhere();
            const model::Cell b = anywhere();
            if (layer_.open(a) && layer_.open(b) && component(a) == component(b)) {
                return a;
            }
        }
    }

    const map::Layer& layer_;
    Noise noise_{5};
    model::Cell main_;
};

model::Goal square(model::Cell cell, std::int32_t side) {
    return {.rect = {cell.x, cell.y, side, side}};
}

class Bench {
  public:
    Bench(const map::Layer& layer, std::uint64_t slice)
        : layer_(layer), slice_(slice), places_(layer) {}

    void run() {
        std::printf("%-34s %7s %8s %8s %8s %8s %9s\n", "us a slice", "slices", "p50", "p99",
                    "p99.9", "max", "ns/unit");
        paths();
        groups();
        nearest();
        reach();
        model::MatrixQuery matrix{Places::list(16, [&] { return places_.connected(); }),
                                  Places::list(1024, [&] { return places_.connected(); })};
        survey("matrix of 16 x 1,024", std::move(matrix));
        survey("field over the whole map",
               model::FieldQuery{
                   square(places_.main(), 1), {0, 0, layer_.width(), layer_.height()}, true});
    }

  private:
    void paths() {
        const search::BuffersPtr buffers = search::make_buffers();
        search::Search search;
        Times times;
        for (int i = 0; i < 200; ++i) {
            model::PathQuery query;
            query.start = places_.connected();
            query.goal = square(places_.connected(), 1);
            search.start(layer_, query, *buffers);
            std::uint64_t before = 0;
            for (bool running = true; running; before = search.expansions()) {
                const double start = thread_us();
                running = search.step(slice_) == search::Step::kRunning;
                if (i > 0 && running) {
                    times.slices_us.push_back(thread_us() - start);
                    times.work += search.expansions() - before;
                }
            }
            (void)search.take_result();
        }
        if (!times.slices_us.empty()) {
            times.print("path, whole slices");
        }
    }
    void groups() {
        model::GroupQuery group;
        group.starts = Places::list(10'000, [&] { return places_.connected(); });
        group.goal = square(places_.main(), 1);
        survey("group of 10,000", group);
        group.goal = square(places_.main(), 40);
        survey("group of 10,000, wide goal", group);
        group.starts = Places::list(10'000, [&] { return places_.anywhere(); });
        group.allow_partial = true;
        group.leave_blocked_start = true;
        survey("group of 10,000, blocked ones too", group);
    }
    void nearest() {
        model::NearestQuery nearest{.start = places_.main(), .count = 1024};
        for (const std::int32_t side : {1, 200}) {
            nearest.goals.clear();
            while (nearest.goals.size() < 1024) {
                nearest.goals.push_back(square(places_.connected(), side));
            }
            survey(side == 1 ? "all of 1,024 goals" : "all of 1,024 wide goals", nearest);
        }
    }
    void reach() {
        model::ReachQuery reach{.starts = {places_.main()}, .costs = true};
        reach.cost_max = model::Cost{1} << 40U;
        survey("reach over the whole map", reach);
        reach.starts = Places::list(1024, [&] { return places_.anywhere(); });
        reach.leave_blocked_start = true;
        survey("reach from 1,024 starts", reach);
    }

    // As a worker does: the first slice starts the search, each takes its parts, the last the rest.
    template <class Query>
    void survey(const char* name, Query query) {
        const model::Survey survey{.movement_class = {0}, .query = std::move(query)};
        Times times;
        for (std::size_t time = 0; time < kTimes; ++time) {
            bool running = true;
            for (bool started = false; running; started = true) {
                std::vector<model::SurveyResult> parts;
                const double start = thread_us();
                if (!started) {
                    search_.start(layer_, survey);
                }
                running = search_.step(slice_) == search::Step::kRunning;
                while (auto part = search_.take_part()) {
                    parts.push_back(std::move(*part));
                }
                if (!running) {
                    parts.push_back(search_.take_result());
                }
                if (time > 0) {
                    times.slices_us.push_back(thread_us() - start);
                }
            }
            times.work += time > 0 ? search_.expansions() : 0;
        }
        times.print(name);
    }

    const map::Layer& layer_;
    std::uint64_t slice_;
    Places places_;
    search::SurveySearch search_;
};

int run(const Options& options) {
    Ground ground = has_data() ? scenario_map(options.map).load() : ground_of(caves_grid(1024));
    if (options.terrain) {
        ground = ground_of(with_terrain(ground.store->state().grid), model::terrain_class());
    }
    Bench(ground.layer(), options.slice).run();
    return 0;
}

}  // namespace
}  // namespace outrider::bench

int main(int argc, char** argv) {
    outrider::bench::Options options;
    CLI::App app("How long the slices of surveys take");
    app.add_option("--slice", options.slice, "cells")->check(CLI::Range(1, 1'000'000));
    app.add_option("--map", options.map, "of the public maps, where $OUTRIDER_DATA has them");
    app.add_flag("--terrain", options.terrain, "with terrain of several weights");
    CLI11_PARSE(app, argc, argv);
    return outrider::bench::run(options);
}
