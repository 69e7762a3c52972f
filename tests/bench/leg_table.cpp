#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench_maps.hpp"
#include "bench/cpu_timer.hpp"
#include "bench/generated_maps.hpp"
#include "bench/sample.hpp"
#include "bench/side_tables.hpp"
#include "outrider/base/clock.hpp"
#include "outrider/engine/engine.hpp"

namespace outrider::bench {
namespace {

constexpr std::size_t kQuestions = 200;

// When leg and reply came, by the CPU clock; 0: not yet.
class LegSink final : public engine::Sink {
  public:
    void on_leg(model::LegPush /*leg*/) override { leg_us = cpu_us(); }
    void on_reply(model::PathReply reply) override {
        reply_us = cpu_us();
        if (!reply.body || reply.body->result->outcome != model::Outcome::kComplete) {
            give_up("first legs: a question was not answered by a whole path");
        }
    }
    void on_edit(model::MapId, model::Version, std::shared_ptr<const model::EditBatch>) override {}

    double leg_us{};
    double reply_us{};
};

struct Times {
    double leg_us{};  // 0: the search was short, or the goal near
    double whole_us{};
};

// An engine without threads or cache, so that the time is the search's own.
class Asker {
  public:
    Asker(map::Grid grid, const model::MovementClass& who, bool landmarks) {
        engine::Config config;
        config.workers = 0;
        config.cache_bytes_max = 0;
        if (!landmarks) {
            config.landmark_bytes_max = 0;
        }
        engine_ = std::move(*engine::Engine::create(config, clock_));
        map_ = *engine_->add_map("map", std::move(grid), {who});
        client_ = *engine_->connect(sink_);
        while (engine_->map_info(map_).value().landmarks.front() ==
               model::LandmarkState::kPending) {
            engine_->run_for(std::chrono::seconds{1});
        }
    }

    [[nodiscard]] Ground ground() const { return {nullptr, engine_->snapshot(map_), nullptr}; }

    Times ask(const model::PathQuery& query, bool first_leg) {
        model::PathRequest request;
        request.id = {++id_};
        request.map = map_;
        request.query = query;
        request.first_leg = first_leg;
        sink_->leg_us = sink_->reply_us = 0;
        const double before = cpu_us();
        engine_->submit(client_, request);
        while (sink_->reply_us == 0) {
            engine_->run_for(std::chrono::milliseconds{1});
        }
        return {sink_->leg_us == 0 ? 0 : sink_->leg_us - before, sink_->reply_us - before};
    }

  private:
    base::SteadyClock clock_;
    std::shared_ptr<LegSink> sink_{std::make_shared<LegSink>()};
    std::unique_ptr<engine::Engine> engine_;
    model::MapId map_;
    model::ClientId client_;
    std::uint64_t id_{0};
};

void print_row(const std::string& name, const map::Grid& grid, const model::MovementClass& who,
               bool landmarks, std::size_t count) {
    Asker asker(grid, who, landmarks);
    const Ground ground = asker.ground();
    if (landmarks && ground.layer().landmarks() == nullptr) {
        give_up("first legs: no landmarks on " + name);
    }
    const auto questions = random_questions(ground, count, grid.width / 2);
    for (const model::PathQuery& query : questions) {
        (void)asker.ask(query, true);  // portals that a route asks for are made once
    }
    Sample leg;
    Sample led;
    Sample plain;
    for (const model::PathQuery& query : questions) {
        const Times with = asker.ask(query, true);
        const Times without = asker.ask(query, false);
        if (with.leg_us != 0) {
            leg.values.push_back(with.leg_us);
        }
        led.values.push_back(with.whole_us);
        plain.values.push_back(without.whole_us);
    }
    std::printf("  %-28s %5zu | %8.0f %8.0f | %9.0f %9.0f | %9.0f %9.0f\n",
                (name + (landmarks ? ", landmarks" : "")).c_str(), leg.values.size(), leg.at(0.5),
                leg.at(0.99), led.at(0.5), led.at(0.99), plain.at(0.5), plain.at(0.99));
    std::fflush(stdout);
}

}  // namespace

void print_legs(std::size_t questions) {
    const std::size_t count = questions == 0 ? kQuestions : questions;
    std::printf(
        "first legs of an engine, CPU us since the request; %zu questions a map, ends at least "
        "half the map apart, each asked with `first_leg` and without in turn\n",
        count);
    std::printf("  %-28s %5s | %8s %8s | %9s %9s | %9s %9s\n", "", "legs", "1st leg", "p99",
                "led whole", "p99", "not led", "p99");
    const map::Grid noise = noise_grid(4096, 20);
    for (const bool landmarks : {false, true}) {
        print_row("noise 20 % 4096", noise, model::ground_class(), landmarks, count);
    }
    const std::vector<BenchMap> weighted = weighted_maps();
    if (weighted.empty()) {
        std::printf("  weighted map: skipped, no files; set OUTRIDER_DATA\n");
        return;
    }
    const map::Grid large = weighted.front().load().store->state().grid;
    for (const bool landmarks : {false, true}) {
        print_row(weighted.front().name, large, model::terrain_class(), landmarks, count);
    }
}

}  // namespace outrider::bench
