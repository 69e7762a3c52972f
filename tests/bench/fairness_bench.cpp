// What a light client's short paths wait while another client keeps ten groups of 10,000 units in
// flight: one worker, rounds with and without the other client in turn, so that what else the
// machine does falls on both. The goal: the 99th percentile moves by at most a factor of 2.
// Time is told twice: by the wall clock, and by the worker's CPU clock, which stands still while
// the worker sleeps or other programs have its processor.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <thread>

#include "bench/bench_maps.hpp"
#include "bench/generated_maps.hpp"
#include "bench/noise.hpp"
#include "outrider/base/check.hpp"
#include "outrider/base/limits.hpp"
#include "outrider/engine/engine.hpp"

namespace outrider::bench {
namespace {

using Moment = std::chrono::steady_clock::time_point;

constexpr std::size_t kGroups = 10;
constexpr std::size_t kQuestions = 4096;
// A short walk: what is on a player's screen.
constexpr std::int32_t kShort = 48;

struct Options {
    std::size_t rounds{8};
    int seconds{2};
    bool terrain{false};
    std::string map{"Aurora"};
};

struct Wait {
    double wall_us{};
    double cpu_us{};
};

struct Percentiles {
    double p50{}, p99{}, p999{};
};

Percentiles percentiles(const std::vector<Wait>& waits, double Wait::* clock) {
    std::vector<double> sorted;
    for (const Wait& wait : waits) {
        sorted.push_back(wait.*clock);
    }
    std::ranges::sort(sorted);
    const auto at = [&](double share) {
        return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * share)];
    };
    return {at(0.5), at(0.99), at(0.999)};
}

double cpu_us(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

double us_between(Moment from, Moment to) {
    return std::chrono::duration<double, std::micro>(to - from).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

map::Grid grid_of(const Options& options) {
    map::Grid grid =
        has_data() ? scenario_map(options.map).load().store->state().grid : caves_grid(1024);
    return options.terrain ? with_terrain(std::move(grid)) : grid;
}

// Asks one short path at a time, at times that know nothing of the worker's.
class LightClient final : public engine::Sink {
  public:
    void on_reply(model::PathReply reply) override {
        OUTRIDER_CHECK(reply.body.has_value());
        const Moment now = std::chrono::steady_clock::now();
        const double cpu = cpu_us(CLOCK_THREAD_CPUTIME_ID);
        const std::lock_guard lock(mutex_);
        if (worker_) {
            waits_.push_back({us_between(asked_, now), cpu - worker_cpu_});
        } else {
            clockid_t clock{};
            OUTRIDER_CHECK(pthread_getcpuclockid(pthread_self(), &clock) == 0);
            worker_ = clock;
        }
        answered_ = true;
        changed_.notify_all();
    }
    void on_edit(model::MapId, model::Version, std::shared_ptr<const model::EditBatch>) override {}

    std::vector<Wait> round(engine::Engine& engine, model::ClientId client,
                            const std::vector<model::PathRequest>& questions, int seconds) {
        const Moment end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
        std::unique_lock lock(mutex_);
        waits_.clear();
        for (Moment next = std::chrono::steady_clock::now(); next < end;) {
            next += std::chrono::microseconds(500 + noise_.below(1000));
            changed_.wait_until(lock, next, [] { return false; });
            model::PathRequest request = questions[++asked_count_ % questions.size()];
            request.id = {asked_count_};
            answered_ = false;
            worker_cpu_ = worker_ ? cpu_us(*worker_) : 0;
            asked_ = std::chrono::steady_clock::now();
            lock.unlock();
            engine.submit(client, request);
            lock.lock();
            changed_.wait(lock, [this] { return answered_; });
        }
        return waits_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Wait> waits_;
    std::optional<clockid_t> worker_;  // known from the first answer on
    double worker_cpu_{0};             // when asked
    Moment asked_;
    bool answered_{false};
    std::uint64_t asked_count_{0};
    Noise noise_{3};
};

// Keeps ten groups in flight while it is switched on.
class HeavyClient final : public engine::Sink {
  public:
    void on_reply(model::PathReply) override {}
    void on_edit(model::MapId, model::Version, std::shared_ptr<const model::EditBatch>) override {}
    void on_survey(model::SurveyReply reply) override {
        if (reply.last) {
            OUTRIDER_CHECK(reply.body.has_value());
            const std::lock_guard lock(mutex_);
            free_.push_back(reply.id.value);
            ++answered_;
            changed_.notify_all();
        }
    }

    // On a thread of its own, as a connection would be.
    void run(engine::Engine& engine, model::ClientId client,
             const std::vector<model::SurveyRequest>& armies) {
        std::unique_lock lock(mutex_);
        for (std::uint64_t next = 0; !over_;) {
            changed_.wait(lock, [this] { return over_ || (on_ && !free_.empty()); });
            while (on_ && !free_.empty()) {
                model::SurveyRequest request = armies[next++ % armies.size()];
                request.id = {free_.back()};
                free_.pop_back();
                lock.unlock();
                engine.submit(client, std::move(request));
                lock.lock();
            }
        }
    }
    void switch_on() {
        const std::lock_guard lock(mutex_);
        on_ = true;
        changed_.notify_all();
    }
    // Returns when nothing of it is left in the engine.
    void switch_off() {
        std::unique_lock lock(mutex_);
        on_ = false;
        changed_.wait(lock, [this] { return free_.size() == kGroups; });
    }
    void end() {
        const std::lock_guard lock(mutex_);
        over_ = true;
        changed_.notify_all();
    }
    [[nodiscard]] std::uint64_t answered() {
        const std::lock_guard lock(mutex_);
        return answered_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::uint64_t> free_{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    std::uint64_t answered_{0};
    bool on_{false};
    bool over_{false};
};

struct World {
    explicit World(const Options& options) {
        engine::Config config;
        config.workers = 1;
        // Each question is to be searched for, and nothing else is to run.
        config.cache_bytes_max = 0;
        config.landmark_bytes_max = 0;
        engine = std::move(*engine::Engine::create(config, clock));
        const model::MovementClass who =
            options.terrain ? model::terrain_class() : model::ground_class();
        map = *engine->add_map("ground", grid_of(options), {who});
        snapshot = engine->snapshot(map);
        light_id = *engine->connect(light);
        heavy_id = *engine->connect(heavy);
        while (questions.size() < kQuestions) {
            ask_nearby();
        }
        while (armies.size() < kGroups) {
            // In a large region, most likely.
            const model::Cell goal = open_cell();
            if (connected(goal, open_cell())) {
                armies.push_back(army(goal));
            }
        }
    }

    [[nodiscard]] const map::Layer& layer() const { return *snapshot->layer({0}); }
    [[nodiscard]] bool connected(model::Cell a, model::Cell b) const {
        return layer().open(b) && layer().regions().component(a) == layer().regions().component(b);
    }
    model::Cell open_cell() {
        for (;;) {
            const model::Cell cell{noise.below(layer().width()), noise.below(layer().height())};
            if (layer().open(cell)) {
                return cell;
            }
        }
    }
    void ask_nearby() {
        const model::Cell start = open_cell();
        const model::Cell goal{start.x - kShort + noise.below(2 * kShort + 1),
                               start.y - kShort + noise.below(2 * kShort + 1)};
        const model::Rect whole{0, 0, layer().width(), layer().height()};
        if (goal != start && whole.contains(goal) && connected(start, goal)) {
            model::PathRequest request;
            request.map = map;
            request.query.start = start;
            request.query.goal.rect = {goal.x, goal.y, 1, 1};
            questions.push_back(request);
        }
    }
    model::SurveyRequest army(model::Cell goal) {
        model::GroupQuery group;
        group.goal.rect = {goal.x, goal.y, 1, 1};
        while (group.starts.size() < base::limits::kUnitsPerGroupMax) {
            const model::Cell cell = open_cell();
            if (connected(goal, cell)) {
                group.starts.push_back(cell);
            }
        }
        model::SurveyRequest request;
        request.map = map;
        request.survey.query = std::move(group);
        return request;
    }

    base::SteadyClock clock;
    std::unique_ptr<engine::Engine> engine;
    model::MapId map;
    std::shared_ptr<const map::Snapshot> snapshot;
    std::shared_ptr<LightClient> light{std::make_shared<LightClient>()};
    std::shared_ptr<HeavyClient> heavy{std::make_shared<HeavyClient>()};
    model::ClientId light_id;
    model::ClientId heavy_id;
    std::vector<model::PathRequest> questions;
    std::vector<model::SurveyRequest> armies;
    Noise noise{7};
};

int run(const Options& options) {
    World world(options);
    std::thread heavy([&] { world.heavy->run(*world.engine, world.heavy_id, world.armies); });
    const auto round = [&] {
        return world.light->round(*world.engine, world.light_id, world.questions, options.seconds);
    };
    std::printf(
        "one worker; what short paths of a light client wait, us\n"
        "             wall clock                    |       worker's CPU clock\n"
        "      idle        beside ten groups         |      idle        beside ten groups\n"
        "   p50    p99    p50    p99   p99.9 factor  |   p50    p99    p50    p99   p99.9 "
        "factor   groups/s\n");
    std::array<std::vector<double>, 2> factors;
    for (std::size_t i = 0; i < options.rounds; ++i) {
        const std::vector<Wait> idle = round();
        world.heavy->switch_on();
        const std::uint64_t before = world.heavy->answered();
        const std::vector<Wait> beside = round();
        const auto groups = static_cast<double>(world.heavy->answered() - before);
        world.heavy->switch_off();
        for (const std::size_t clock : {0, 1}) {
            const auto member = clock == 0 ? &Wait::wall_us : &Wait::cpu_us;
            const Percentiles a = percentiles(idle, member);
            const Percentiles b = percentiles(beside, member);
            factors[clock].push_back(b.p99 / a.p99);
            std::printf("%6.0f %6.0f %6.0f %6.0f %7.0f %6.2f  %s", a.p50, a.p99, b.p50, b.p99,
                        b.p999, factors[clock].back(), clock == 0 ? "|" : "");
        }
        std::printf("   %8.1f\n", groups / options.seconds);
    }
    world.heavy->end();
    heavy.join();
    std::printf("median factor %.2f by the wall clock, %.2f by the worker's; the goal is 2\n",
                median(factors[0]), median(factors[1]));
    return 0;
}

}  // namespace
}  // namespace outrider::bench

int main(int argc, char** argv) {
    outrider::bench::Options options;
    CLI::App app("What a light client waits beside a heavy one");
    app.add_option("--rounds", options.rounds, "pairs of rounds")->check(CLI::Range(1, 1000));
    app.add_option("--seconds", options.seconds, "of one round")->check(CLI::Range(1, 60));
    app.add_option("--map", options.map, "of the public maps, where $OUTRIDER_DATA has them");
    app.add_flag("--terrain", options.terrain, "with terrain of several weights");
    CLI11_PARSE(app, argc, argv);
    return outrider::bench::run(options);
}
