// What a light client's short paths wait while another client keeps ten groups of 10,000 units in
// flight: one worker, rounds with and without the other client in turn, so that what else the
// machine does falls on both. The goal: the 99th percentile moves by at most a factor of 2.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <condition_variable>
#include <cstdio>
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

double us_between(Moment from, Moment to) {
    return std::chrono::duration<double, std::micro>(to - from).count();
}

double percentile(std::vector<double>& sorted, double share) {
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(static_cast<double>(sorted.size() - 1) * share)];
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
        const std::lock_guard lock(mutex_);
        waits_.push_back(us_between(asked_, now));
        answered_ = true;
        changed_.notify_all();
    }
    void on_edit(model::MapId, model::Version, std::shared_ptr<const model::EditBatch>) override {}

    std::vector<double> round(engine::Engine& engine, model::ClientId client,
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
    std::vector<double> waits_;
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
        "one worker; short paths of a light client, us\n"
        "            idle          beside ten groups of 10,000\n"
        "      p50     p99         p50     p99    p99.9   groups/s   factor of p99\n");
    std::vector<double> factors;
    for (std::size_t i = 0; i < options.rounds; ++i) {
        std::vector<double> idle = round();
        world.heavy->switch_on();
        const std::uint64_t before = world.heavy->answered();
        std::vector<double> beside = round();
        const auto groups = static_cast<double>(world.heavy->answered() - before);
        world.heavy->switch_off();
        factors.push_back(percentile(beside, 0.99) / percentile(idle, 0.99));
        std::printf("  %7.1f %7.1f     %7.1f %7.1f %8.1f %10.1f %15.2f\n", percentile(idle, 0.5),
                    percentile(idle, 0.99), percentile(beside, 0.5), percentile(beside, 0.99),
                    percentile(beside, 0.999), groups / options.seconds, factors.back());
    }
    world.heavy->end();
    heavy.join();
    std::printf("median factor %.2f; at most 2 is the goal\n", percentile(factors, 0.5));
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
