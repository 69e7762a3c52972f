#pragma once
// What:    an engine with a drawn map, a manual clock and sinks that remember.
// Threads: RecordingSink may be called from any thread; the rest belongs to the test.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "outrider/base/check.hpp"
#include "outrider/engine/engine.hpp"
#include "support/manual_clock.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

class RecordingSink final : public engine::Sink {
  public:
    void on_reply(model::PathReply reply) override {
        const model::PathReply copy = reply;
        {
            const std::lock_guard lock(mutex_);
            replies_.push_back(std::move(reply));
            changed_.notify_all();
        }
        if (then) {
            then(copy);
        }
    }
    void on_edit(model::MapId, model::Version version,
                 std::shared_ptr<const model::EditBatch> batch) override {
        {
            const std::lock_guard lock(mutex_);
            edits_.emplace_back(version, std::move(batch));
            changed_.notify_all();
        }
        if (then_edit) {
            then_edit(version);
        }
    }

    void on_push(model::PathPush push) override {
        const model::PathPush copy = push;
        {
            const std::lock_guard lock(mutex_);
            pushes_.push_back(std::move(push));
            changed_.notify_all();
        }
        if (then_push) {
            then_push(copy);
        }
    }

    void on_leg(model::LegPush leg) override {
        const std::lock_guard lock(mutex_);
        EXPECT_TRUE(std::ranges::none_of(
            replies_, [&](const model::PathReply& reply) { return reply.id == leg.id; }))
            << "the first leg of " << leg.id.value << " came after its reply";
        legs_.push_back(std::move(leg));
        changed_.notify_all();
    }
    [[nodiscard]] std::vector<model::LegPush> legs() const {
        const std::lock_guard lock(mutex_);
        return legs_;
    }

    void on_map_dropped(model::MapId map, model::MapId successor) override {
        const std::lock_guard lock(mutex_);
        dropped_.emplace_back(map, successor);
        edits_before_drop_.push_back(edits_.size());
        changed_.notify_all();
    }
    // The maps, each with its successor.
    [[nodiscard]] std::vector<std::pair<model::MapId, model::MapId>> dropped() const {
        const std::lock_guard lock(mutex_);
        return dropped_;
    }
    // How many edits, of whatever map, came before each of them.
    [[nodiscard]] std::vector<std::size_t> edits_before_drop() const {
        const std::lock_guard lock(mutex_);
        return edits_before_drop_;
    }

    void on_survey(model::SurveyReply reply) override {
        const std::lock_guard lock(mutex_);
        surveys_last_ += reply.last ? 1 : 0;
        surveys_.push_back(std::move(reply));
        changed_.notify_all();
    }

    void on_slow(const engine::SlowRequest& request) override {
        const std::lock_guard lock(mutex_);
        slow_.push_back(request);
    }
    [[nodiscard]] std::vector<engine::SlowRequest> slow() const {
        const std::lock_guard lock(mutex_);
        return slow_;
    }

    // Parts and last replies, in order.
    [[nodiscard]] std::vector<model::SurveyReply> surveys() const {
        const std::lock_guard lock(mutex_);
        return surveys_;
    }
    [[nodiscard]] bool wait_for_surveys(std::size_t last_ones) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(30),
                                 [&] { return surveys_last_ >= last_ones; });
    }
    void forget_surveys() {
        const std::lock_guard lock(mutex_);
        surveys_.clear();
    }
    [[nodiscard]] std::size_t count() const {
        const std::lock_guard lock(mutex_);
        return replies_.size();
    }
    [[nodiscard]] std::vector<model::PathPush> pushes() const {
        const std::lock_guard lock(mutex_);
        return pushes_;
    }
    [[nodiscard]] bool wait_for_pushes(std::size_t count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(30),
                                 [&] { return pushes_.size() >= count; });
    }
    [[nodiscard]] std::vector<model::PathReply> replies() const {
        const std::lock_guard lock(mutex_);
        return replies_;
    }
    [[nodiscard]] std::vector<std::pair<model::Version, std::shared_ptr<const model::EditBatch>>>
    edits() const {
        const std::lock_guard lock(mutex_);
        return edits_;
    }
    // False after half a minute, which no test needs.
    [[nodiscard]] bool wait_for(std::size_t count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(30),
                                 [&] { return replies_.size() >= count; });
    }
    // The one reply to a request; fails the test when there are none or more.
    [[nodiscard]] model::PathReply reply_to(std::uint64_t id) const {
        const std::lock_guard lock(mutex_);
        const model::PathReply* found = nullptr;
        for (const model::PathReply& reply : replies_) {
            if (reply.id.value == id) {
                EXPECT_EQ(found, nullptr) << "a second reply to " << id;
                found = &reply;
            }
        }
        EXPECT_NE(found, nullptr) << "no reply to " << id;
        return found != nullptr ? *found
                                : model::PathReply{{id}, std::unexpected(model::Refusal{})};
    }
    [[nodiscard]] std::size_t replies_to(std::uint64_t id) const {
        const std::lock_guard lock(mutex_);
        std::size_t count = 0;
        for (const model::PathReply& reply : replies_) {
            count += reply.id.value == id ? 1 : 0;
        }
        return count;
    }
    // Fails the test, and gives an empty result, when the reply is a refusal.
    [[nodiscard]] model::PathResult result_of(std::uint64_t id) const {
        const model::PathReply reply = reply_to(id);
        EXPECT_TRUE(reply.body.has_value()) << id << ": " << reply.body.error().message;
        return reply.body ? *reply.body->result : model::PathResult{};
    }
    [[nodiscard]] model::Outcome outcome_of(std::uint64_t id) const {
        return result_of(id).outcome;
    }
    [[nodiscard]] model::RefusalCode refusal_of(std::uint64_t id) const {
        const model::PathReply reply = reply_to(id);
        EXPECT_FALSE(reply.body.has_value()) << id << " was answered";
        return reply.body ? model::RefusalCode::kUnauthenticated : reply.body.error().code;
    }

    // Called after the reply is recorded, with no lock held. Set before the first request.
    std::function<void(const model::PathReply&)> then;
    std::function<void(model::Version)> then_edit;
    std::function<void(const model::PathPush&)> then_push;

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<model::PathReply> replies_;
    std::vector<model::PathPush> pushes_;
    std::vector<model::LegPush> legs_;
    std::vector<model::SurveyReply> surveys_;
    std::vector<engine::SlowRequest> slow_;
    std::size_t surveys_last_{};
    std::vector<std::pair<model::MapId, model::MapId>> dropped_;
    std::vector<std::size_t> edits_before_drop_;
    std::vector<std::pair<model::Version, std::shared_ptr<const model::EditBatch>>> edits_;
};

[[nodiscard]] inline std::shared_ptr<RecordingSink> make_sink() {
    return std::make_shared<RecordingSink>();
}

[[nodiscard]] inline map::Grid grid_of(std::initializer_list<std::string_view> rows) {
    return {static_cast<std::int32_t>(rows.begin()->size()), static_cast<std::int32_t>(rows.size()),
            terrain_of(rows)};
}

[[nodiscard]] inline map::Grid open_grid(std::int32_t width, std::int32_t height) {
    return {width, height,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '.')};
}

// One map, pumped by hand unless `config` asks for workers.
struct EngineWorld {
    explicit EngineWorld(const engine::Config& config = pumped(),
                         map::Grid grid = open_grid(64, 64)) {
        auto made = engine::Engine::create(config, clock);
        OUTRIDER_CHECK(made.has_value());
        engine = std::move(*made);
        map = add_map("map", std::move(grid));
    }

    // Small slices, so that a search on a small map takes many.
    [[nodiscard]] static engine::Config pumped() {
        engine::Config config;
        config.workers = 0;
        config.expansions_per_slice = 64;
        return config;
    }
    [[nodiscard]] static engine::Config with_workers(unsigned workers) {
        engine::Config config = pumped();
        config.workers = workers;
        return config;
    }

    model::MapId add_map(std::string name, map::Grid grid) const {
        const auto id = engine->add_map(std::move(name), std::move(grid), {model::ground_class()});
        OUTRIDER_CHECK(id.has_value());
        return *id;
    }
    model::ClientId connect(const std::shared_ptr<RecordingSink>& sink) const {
        const auto client = engine->connect(sink);
        OUTRIDER_CHECK(client.has_value());
        return *client;
    }
    [[nodiscard]] model::PathRequest request(std::uint64_t id, model::Cell start,
                                             model::Cell goal) const {
        model::PathRequest request;
        request.id = {id};
        request.map = map;
        request.query.start = start;
        request.query.goal.rect = {goal.x, goal.y, 1, 1};
        return request;
    }
    // Looks at the whole open map of 64 x 64 cells: 64 slices and more. `variant` makes it differ
    // from the others.
    [[nodiscard]] model::PathRequest long_request(std::uint64_t id, int variant = 0) const {
        model::PathRequest request = this->request(id, {0, variant % 60}, {63, 63 - variant / 60});
        request.query.algorithm = model::Algorithm::kDijkstra;
        return request;
    }
    model::Version edit(model::Rect rect, model::Terrain terrain) const {
        const auto receipt = engine->edit(map, {{model::TerrainEdit{rect, {terrain}}}});
        OUTRIDER_CHECK(receipt.has_value());
        return receipt->version;
    }
    void slice() const { (void)engine->run_for(std::chrono::microseconds{0}); }
    void run_all() const {
        while (engine->run_for(std::chrono::microseconds{1000})) {
        }
    }

    ManualClock clock;
    std::unique_ptr<engine::Engine> engine;
    model::MapId map;
};

}  // namespace outrider::test
