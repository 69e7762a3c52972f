// One engine with everything on (cache, landmarks, followed units, mended paths), under random
// edits and questions of all kinds, beside a map that is made from nothing after each edit and the
// oracle on it.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <optional>

#include "outrider/engine/engine.hpp"
#include "outrider/model/path.hpp"
#include "support/engine_world.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"
#include "support/reference_map.hpp"
#include "support/search_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using test::Random;

engine::Config random_config(Random& random) {
    Config config;
    config.workers = 0;
    config.cache_bytes_max = random.chance(20) ? 0 : random.chance(30) ? 3000 : 16U << 20U;
    config.expansions_per_slice = static_cast<std::uint64_t>(random.between(1, 500));
    config.landmark_cells_min = random.chance(70) ? 1 : 1U << 20U;
    config.landmark_calm = std::chrono::milliseconds(1);
    return config;
}

map::Grid random_ground(Random& random) {
    return random.chance(40) ? test::tiny_map(random) : test::random_map(random);
}

class World {
  public:
    explicit World(Random& random)
        : random_(random),
          grid_(random_ground(random)),
          reference_(grid_.width, grid_.height, grid_.terrain) {
        for (std::size_t i = 0; i < kClasses; ++i) {
            classes_.push_back(test::random_class(random));
            classes_.back().name = std::to_string(i);
            if (random.chance(30)) {
                classes_.back().footprint = static_cast<std::uint8_t>(random.between(1, 8));
            }
        }
        engine_ = std::move(*Engine::create(random_config(random), clock_));
        map_ = *engine_->add_map("map", grid_, classes_);
        sink_->then = [this](const model::PathReply& reply) { reply_ = reply; };
        sink_->then_push = [this](const model::PathPush& push) { pushes_.push_back(push); };
        client_ = *engine_->connect(sink_);
    }
    ~World() { engine_.reset(); }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // An edit, a question, or news of a unit; everything that it sets off is carried out and
    // looked at.
    void step() {
        clock_.advance(std::chrono::milliseconds(random_.between(0, 2)));
        const std::int64_t dice = random_.between(0, 99);
        if (dice < 30) {
            edit();
        } else if (dice < 45) {
            report();
        } else {
            ask();
        }
        while (engine_->run_for(std::chrono::microseconds{1000})) {
        }
        check_pushes();
    }
    [[nodiscard]] std::uint64_t mended() const { return mended_; }
    [[nodiscard]] std::uint64_t carried() const { return engine_->stats().cache_carried; }

  private:
    static constexpr std::size_t kClasses = 4;

    struct Followed {
        model::PathRequest request;
        model::Cell at;
        model::PathResult path;
    };

    [[nodiscard]] const test::WeightGrid& weights(std::size_t who) {
        if (!weights_[who]) {
            weights_[who] = reference_.weights(classes_[who]);
        }
        return *weights_[who];
    }
    // The newest map for a question, without the obstacle that it ignores.
    [[nodiscard]] const test::WeightGrid& seen_by(const model::PathQuery& query) {
        if (!query.ignore_obstacle) {
            return weights(class_of(query));
        }
        const auto [view, fresh] =
            views_.try_emplace({class_of(query), query.ignore_obstacle->value});
        if (fresh) {
            test::ReferenceMap without = reference_;
            without.apply({{model::RemoveObstacle{*query.ignore_obstacle}}, {}});
            view->second = without.weights(classes_[class_of(query)]);
        }
        return view->second;
    }
    [[nodiscard]] std::size_t class_of(const model::PathQuery& query) const {
        return query.movement_class.value;
    }

    void edit() {
        const model::EditBatch batch =
            random_.chance(40) ? test::random_batch(random_, grid_) : building();
        const auto receipt = engine_->edit(map_, batch);
        ASSERT_TRUE(receipt.has_value());
        edited_ = receipt->version;
        reference_.apply(batch);
        weights_ = {};
        views_.clear();
    }
    // Small, often on somebody's way, and gone again later.
    [[nodiscard]] model::EditBatch building() {
        const model::ObstacleId id{static_cast<std::uint64_t>(random_.between(1, 12))};
        if (random_.chance(30)) {
            return {{model::RemoveObstacle{id}}, {}};
        }
        model::Cell at{static_cast<std::int32_t>(random_.between(0, grid_.width - 1)),
                       static_cast<std::int32_t>(random_.between(0, grid_.height - 1))};
        if (!follows_.empty() && random_.chance(70)) {
            const auto& points = any_follow()->second.path.turning_points;
            if (!points.empty()) {
                const auto cells = model::cells_of(points);
                at = cells[static_cast<std::size_t>(random_.between(0, std::ssize(cells) - 1))];
            }
        }
        const auto side = static_cast<std::int32_t>(random_.between(1, 3));
        const std::uint64_t gate = random_.chance(30) ? 6 : 0;
        return {{model::PlaceObstacle{id, {at.x, at.y, side, side}, gate, {}}}, {}};
    }

    [[nodiscard]] model::PathRequest question() {
        const auto who = static_cast<std::size_t>(random_.between(0, kClasses - 1));
        model::PathRequest request;
        request.map = map_;
        request.unit = {static_cast<std::uint64_t>(random_.between(0, 6))};
        request.query = test::random_query(random_, weights(who));
        request.query.movement_class = {static_cast<std::uint16_t>(who)};
        request.query.algorithm = test::kAllAlgorithms[static_cast<std::size_t>(
            random_.between(0, std::ssize(test::kAllAlgorithms) - 1))];
        const bool weighs = request.query.algorithm == model::Algorithm::kAuto ||
                            request.query.algorithm == model::Algorithm::kAstar;
        if (weighs && random_.chance(20)) {
            request.query.weight_percent = static_cast<std::uint32_t>(random_.between(100, 300));
        }
        if (random_.chance(30)) {
            request.query.ignore_obstacle = {{static_cast<std::uint64_t>(random_.between(1, 13))}};
        }
        if (random_.chance(50)) {
            const auto percent = static_cast<std::uint32_t>(random_.between(100, 130));
            request.query.explain = false;
            request.follow = model::FollowOptions{
                .improve = random_.chance(50), .repair_percent = random_.chance(70) ? percent : 0};
        }
        return request;
    }

    void ask() {
        // Some questions come again, so that the cache has a say.
        model::PathRequest& known =
            known_[static_cast<std::size_t>(random_.between(0, std::ssize(known_) - 1))];
        if (known.map != map_ || random_.chance(60)) {
            known = question();
        }
        model::PathRequest request = known;
        request.id = {++ids_};
        reply_.reset();
        engine_->submit(client_, request);
        while (engine_->run_for(std::chrono::microseconds{1000})) {
        }
        ASSERT_TRUE(reply_ && reply_->id == request.id);
        ASSERT_TRUE(reply_->body.has_value());
        // Landmarks may have made later versions, of the same cells.
        ASSERT_GE(reply_->body->version, edited_);
        const model::PathResult& result = *reply_->body->result;
        ASSERT_NO_FATAL_FAILURE(check_right(request.query, result));
        if (request.follow) {
            follows_[ids_] = {request, request.query.start, result};
        }
    }

    // The answer on the newest map, against the map made from nothing.
    void check_right(const model::PathQuery& query, const model::PathResult& result) {
        const std::size_t who = class_of(query);
        const test::Mover mover = test::mover_of(classes_[who]);
        const test::Expected expected = test::ask_oracle(seen_by(query), mover, query);
        ASSERT_EQ(result.outcome, expected.outcome);
        ASSERT_EQ(result.reason, expected.reason);
        if (result.turning_points.empty()) {
            ASSERT_TRUE(result.outcome != Outcome::kComplete &&
                        result.outcome != Outcome::kPartial);
            return;
        }
        ASSERT_EQ(test::fault_of_path(seen_by(query), mover, query, result), "");
        if (result.bound_percent == 100) {
            ASSERT_EQ(result.cost, expected.cost);
        } else {
            ASSERT_LE(result.cost * 100, expected.cost * result.bound_percent);
        }
    }

    [[nodiscard]] std::map<std::uint64_t, Followed>::iterator any_follow() {
        auto found = follows_.begin();
        std::advance(found, random_.between(0, std::ssize(follows_) - 1));
        return found;
    }

    void report() {
        if (follows_.empty()) {
            return;
        }
        const auto found = any_follow();
        Followed& followed = found->second;
        if (!followed.path.turning_points.empty() && random_.chance(90)) {
            const auto cells = model::cells_of(followed.path.turning_points);
            const auto place = std::ranges::find(cells, followed.at);
            const auto ahead = std::min<std::int64_t>(cells.end() - place - 1, 8);
            if (ahead > 0) {
                followed.at = *(place + random_.between(0, ahead));
            }
        } else {
            followed.at = {static_cast<std::int32_t>(random_.between(0, grid_.width - 1)),
                           static_cast<std::int32_t>(random_.between(0, grid_.height - 1))};
        }
        const model::Progress progress{{found->first}, followed.at};
        ASSERT_TRUE(engine_->report(client_, {&progress, 1}).empty());
    }

    void check_pushes() {
        for (const model::PathPush& push : std::exchange(pushes_, {})) {
            const auto found = follows_.find(push.id.value);
            ASSERT_NE(found, follows_.end());
            if (push.reason == model::PushReason::kEnded) {
                follows_.erase(found);
                continue;
            }
            Followed& followed = found->second;
            ASSERT_TRUE(push.body.has_value());
            ASSERT_GE(push.body->version, edited_);
            ASSERT_EQ(push.start, followed.at);
            followed.path = *push.body->result;
            model::PathQuery query = followed.request.query;
            query.start = push.start;
            ASSERT_NO_FATAL_FAILURE(check_right(query, followed.path)) << name_of(push.reason);
            const bool exact =
                query.weight_percent == 100 && query.algorithm != model::Algorithm::kFast;
            const std::uint32_t allowed = followed.request.follow->repair_percent;
            if (exact) {
                ASSERT_LE(followed.path.bound_percent, std::max(100U, allowed));
            }
            mended_ += exact && followed.path.bound_percent > 100 ? 1 : 0;
        }
        for (const auto& [id, followed] : follows_) {
            ASSERT_TRUE(stands(followed)) << id << " walks into a wall";
        }
    }
    // Every step of what is left of the path is legal on the newest map.
    [[nodiscard]] bool stands(const Followed& followed) {
        const std::size_t who = class_of(followed.request.query);
        const auto cells = model::cells_of(followed.path.turning_points);
        auto at = std::ranges::find(cells, followed.at);
        for (; at != cells.end() && at + 1 != cells.end(); ++at) {
            const test::WeightGrid& grid = seen_by(followed.request.query);
            const bool leaves = *at == followed.at;
            const bool open = grid.open(at[1]) && (leaves || grid.open(*at));
            if (!open || !test::legal_step(grid, classes_[who].directions,
                                           classes_[who].corner_rule, *at, at[1])) {
                return false;
            }
        }
        return true;
    }

    Random& random_;
    map::Grid grid_;
    test::ReferenceMap reference_;
    std::vector<model::MovementClass> classes_;
    std::array<std::optional<test::WeightGrid>, kClasses> weights_;  // of the newest map
    std::map<std::pair<std::size_t, std::uint64_t>, test::WeightGrid> views_;
    test::ManualClock clock_;
    std::shared_ptr<test::RecordingSink> sink_ = test::make_sink();
    std::unique_ptr<Engine> engine_;
    model::MapId map_;
    model::ClientId client_;
    model::Version edited_{1};  // by the last edit
    std::uint64_t ids_{0};
    std::array<model::PathRequest, 6> known_;
    std::optional<model::PathReply> reply_;
    std::vector<model::PathPush> pushes_;
    std::map<std::uint64_t, Followed> follows_;
    std::uint64_t mended_{0};
};

// If this failed, in some match after some edits a unit would be sent through a wall, past an open
// gate or the long way round, whatever its size and its team.
TEST(WorldProperty, EditsAndQuestionsOfAllKindsAgreeWithAMapMadeFromNothing) {
    constexpr std::uint64_t kSteps = 100;
    const std::uint64_t count = test::rounds(150);
    std::uint64_t mended = 0;
    std::uint64_t carried = 0;
    for (std::uint64_t round = 0; round < count; ++round) {
        SCOPED_TRACE("round " + std::to_string(round));
        Random random(0x20000 + round);
        World world(random);
        for (std::uint64_t step = 0; step < kSteps; ++step) {
            ASSERT_NO_FATAL_FAILURE(world.step()) << "step " << step;
        }
        mended += world.mended();
        carried += world.carried();
    }
    // The worlds must exercise what they claim to.
    EXPECT_GT(mended, count / 20);
    EXPECT_GT(carried, count / 10);
    // `./dev.sh million` adds these up.
    std::printf("checked %llu steps\n", static_cast<unsigned long long>(count * kSteps));
}

}  // namespace
}  // namespace outrider::engine
