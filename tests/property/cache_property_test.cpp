// Engines with a large cache, a tiny one and none, on the same edits and questions.

#include <gtest/gtest.h>

#include <array>

#include "outrider/engine/engine.hpp"
#include "outrider/search/search.hpp"
#include "support/engine_world.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"

namespace outrider::engine {
namespace {

using test::Random;

struct Side {
    Side(Config config, const test::ManualClock& clock, const map::Grid& grid,
         const std::vector<model::MovementClass>& classes) {
        config.workers = 0;
        config.landmark_calm = std::chrono::milliseconds(1);
        engine = std::move(*Engine::create(config, clock));
        map = *engine->add_map("map", grid, classes);
        client = *engine->connect(sink);
        remember(engine->snapshot(map)->version());
        sink->then_edit = [this](model::Version version) { remember(version); };
        (void)engine->watch(client, map);
    }
    // Each side has versions of its own, since landmarks are ready when its pump has time.
    void remember(model::Version version) {
        versions.resize(std::max<std::size_t>(versions.size(), version + 1));
        versions[version] = engine->snapshot(map);
    }

    std::unique_ptr<Engine> engine;
    std::shared_ptr<test::RecordingSink> sink = test::make_sink();
    model::MapId map;
    model::ClientId client;
    std::vector<std::shared_ptr<const map::Snapshot>> versions;  // index = version
};

class Replay {
  public:
    Replay(Random& random, bool landmarks) : random_(random), grid_(test::random_map(random)) {
        for (int i = 0; i < 3; ++i) {
            classes_.push_back(test::random_class(random));
            classes_.back().name = std::to_string(i);
        }
        constexpr std::size_t kLarge = 16U << 20U;
        constexpr std::size_t kTiny = 3000;
        constexpr std::size_t kNever = 1U << 30U;
        const auto side = [&](std::size_t cache_bytes, std::uint64_t slice) {
            Config config;
            config.cache_bytes_max = cache_bytes;
            config.expansions_per_slice = slice;
            config.landmark_cells_min = landmarks ? 1 : kNever;
            return std::make_unique<Side>(config, clock_, grid_, classes_);
        };
        sides_[0] = side(0, 1'000'000);
        sides_[1] = side(kLarge, 1'000'000);
        sides_[2] = side(kTiny, 50);
        for (int i = 0; i < 12; ++i) {
            questions_.push_back(question());
        }
    }

    // A frame: some questions, most of them known, some pumped before the edit and some after.
    void frame() {
        for (std::int64_t i = random_.between(1, 6); i > 0; --i) {
            model::PathRequest request = pick(questions_);
            if (random_.chance(10)) {
                request = pick(questions_) = question();
            }
            asked_.push_back(request.query);
            request.id = {asked_.size()};
            each([&](Side& side) { side.engine->submit(side.client, request); });
            // Else some searches begin before the edit and end after it, or wait for it.
            const bool to_the_end = random_.chance(60);
            each([&](Side& side) {
                while (side.engine->run_for(std::chrono::microseconds{0}) && to_the_end) {
                }
            });
        }
        if (random_.chance(3)) {
            model::MovementClass late = test::random_class(random_);
            late.name = "late " + std::to_string(asked_.size());
            each([&](Side& side) { (void)side.engine->add_class(side.map, late); });
        } else if (random_.chance(80)) {
            const model::EditBatch batch = edit();
            each([&](Side& side) { ASSERT_TRUE(side.engine->edit(side.map, batch).has_value()); });
        }
        clock_.advance(std::chrono::milliseconds(random_.between(0, 2)));
    }
    // Every reply against a search alone on the version that it names.
    void compare() {
        for (const auto& side : sides_) {
            while (side->engine->run_for(std::chrono::microseconds{1000})) {
            }
            ASSERT_EQ(side->sink->count(), asked_.size());
            for (const model::PathReply& reply : side->sink->replies()) {
                ASSERT_TRUE(reply.body.has_value());
                model::PathQuery query = asked_[reply.id.value - 1];
                if (query.expansions_max == 0) {
                    query.expansions_max = Config{}.expansions_max;
                }
                const auto& snapshot = side->versions[reply.body->version];
                ASSERT_NE(snapshot, nullptr);
                ASSERT_EQ(*reply.body->result,
                          search::run(*snapshot->layer(query.movement_class), query, *buffers_))
                    << reply.id.value << " on version " << reply.body->version;
            }
        }
    }
    [[nodiscard]] Stats stats(std::size_t side) const { return sides_[side]->engine->stats(); }

  private:
    template <class Action>
    void each(Action action) {
        for (const auto& side : sides_) {
            action(*side);
        }
    }
    [[nodiscard]] model::PathRequest& pick(std::vector<model::PathRequest>& from) {
        return from[static_cast<std::size_t>(random_.between(0, std::ssize(from) - 1))];
    }
    [[nodiscard]] model::PathRequest question() {
        model::PathRequest request;
        request.map = sides_[0]->map;
        const auto who = static_cast<std::size_t>(random_.between(0, 2));
        request.query = test::random_query(random_, test::weights_of(grid_, classes_[who]));
        if (random_.chance(40)) {
            request.query.smoothing.grade = static_cast<model::Grade>(random_.between(1, 2));
        }
        request.query.movement_class = {static_cast<std::uint16_t>(who)};
        request.query.algorithm = static_cast<model::Algorithm>(random_.between(0, 5));
        const bool weighs = request.query.algorithm == model::Algorithm::kAuto ||
                            request.query.algorithm == model::Algorithm::kAstar;
        if (weighs && random_.chance(30)) {
            request.query.weight_percent = 150;
        }
        if (random_.chance(10)) {
            request.query.expansions_max = static_cast<std::uint64_t>(random_.between(1, 80));
        }
        return request;
    }
    [[nodiscard]] model::EditBatch edit() {
        if (random_.chance(10)) {
            return test::random_batch(random_, grid_);
        }
        const model::Rect rect{static_cast<std::int32_t>(random_.between(0, grid_.width - 1)),
                               static_cast<std::int32_t>(random_.between(0, grid_.height - 1)), 2,
                               2};
        const model::ObstacleId id{static_cast<std::uint64_t>(random_.between(1, 6))};
        const std::uint64_t gate = random_.chance(30) ? 6 : 0;
        return random_.chance(60) ? model::EditBatch{{model::PlaceObstacle{id, rect, gate}}, {}}
                                  : model::EditBatch{{model::RemoveObstacle{id}}, {}};
    }

    Random& random_;
    map::Grid grid_;
    std::vector<model::MovementClass> classes_;
    test::ManualClock clock_;
    std::array<std::unique_ptr<Side>, 3> sides_;
    std::vector<model::PathRequest> questions_;
    std::vector<model::PathQuery> asked_;  // by id - 1
    search::BuffersPtr buffers_ = search::make_buffers();
};

// Replays `count` runs; says what the caches did.
void replay(std::uint64_t stream, std::uint64_t count, bool landmarks) {
    Random random(stream);
    Stats large;
    Stats tiny;
    std::size_t landmark_bytes = 0;
    for (std::uint64_t round = 0; round < count; ++round) {
        Replay replay(random, landmarks);
        for (int frame = 0; frame < 40; ++frame) {
            ASSERT_NO_FATAL_FAILURE(replay.frame());
        }
        ASSERT_NO_FATAL_FAILURE(replay.compare()) << "round " << round;
        EXPECT_EQ(replay.stats(0).cache_hits, 0U);
        large.cache_carried += replay.stats(1).cache_carried;
        large.cache_fallen += replay.stats(1).cache_fallen;
        tiny.cache_carried += replay.stats(2).cache_carried;
        landmark_bytes += replay.stats(1).landmark_bytes;
    }
    // The replays must exercise what they claim to.
    EXPECT_GT(large.cache_carried, count * 2);
    EXPECT_GT(large.cache_fallen, count * 2);
    EXPECT_GT(tiny.cache_carried, 0U);
    EXPECT_EQ(landmark_bytes > 0, landmarks);
}

// If this failed, a late joiner whose server has a cold cache would desync from everybody else.
TEST(CacheProperty, OnTinyAndOffGiveTheSameBytesUnderRandomEdits) {
    replay(22, test::rounds(60), false);
}

// If this failed, an answer of the cache would be that of other landmarks than its version has.
TEST(CacheProperty, AnswersAreThoseOfTheLandmarksOfTheirVersion) {
    replay(23, test::rounds(60), true);
}

}  // namespace
}  // namespace outrider::engine
