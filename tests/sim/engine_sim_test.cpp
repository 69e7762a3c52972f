#include <gtest/gtest.h>

#include <cstdio>

#include "sim/engine_model.hpp"
#include "support/random.hpp"

namespace outrider::sim {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// One random act of the world. Edits are rarer than requests, as in a game.
void act(Model& model, test::Random& random) {
    const std::int64_t dice = random.between(0, 99);
    if (dice < 12) {
        model.submit_survey(random);
    } else if (dice < 42) {
        model.submit(random);
    } else if (dice < 62) {
        model.run(microseconds{0});
    } else if (dice < 68) {
        model.run(milliseconds{1});
    } else if (dice < 74) {
        model.report(random);
    } else if (dice < 80) {
        model.clock().advance(microseconds(random.between(1, 400'000)));
    } else if (dice < 88) {
        model.edit(random);
    } else if (dice < 93) {
        model.cancel(random);
    } else if (dice < 96) {
        model.connect();
    } else if (dice < 97) {
        model.swap(random);
    } else {
        model.disconnect(random);
    }
}

struct Played {
    std::uint64_t mended{0};
    std::uint64_t checked{0};
    std::uint64_t legs{0};
};

// Adds up what happened.
void play(std::uint64_t stream, Played& played) {
    test::Random random(stream);
    Model model(random);
    model.connect();
    const std::int64_t acts = random.between(20, 120);
    for (std::int64_t i = 0; i < acts; ++i) {
        act(model, random);
        model.check_bounds();
        if (testing::Test::HasFailure()) {
            return;
        }
    }
    if (random.chance(40)) {
        model.begin_drain();
        model.submit(random);
    }
    if (random.chance(70)) {
        model.run_to_the_end();
    }
    model.end();
    played.mended += model.mended();
    played.checked += model.checked();
    played.legs += model.legs();
}

// If this failed, somewhere a request would be lost, answered twice or answered on a map that was
// gone, or a bound would not hold, in a mix of events that nobody thought of (laws 2, 3, 5).
TEST(EngineSim, EveryRequestGetsItsOneRightReplyWhateverHappens) {
    Played played;
    for (std::uint64_t run = 0; run < test::rounds(2000); ++run) {
        play(run, played);
        ASSERT_FALSE(HasFailure()) << "in run " << run;
    }
    EXPECT_GT(played.mended, 0U) << "the runs must exercise what they claim to";
    EXPECT_GT(played.legs, 0U) << "the runs must exercise what they claim to";
    // `./dev.sh million` adds these up.
    std::printf("checked %llu requests\n", static_cast<unsigned long long>(played.checked));
}

// If this failed, one short order could be held up by any number of busy clients (law 6).
TEST(EngineSim, AShortOrderOfANewcomerIsAnsweredWithinOneTurnOfEachClient) {
    for (std::uint64_t run = 0; run < test::rounds(60); ++run) {
        test::Random random(1'000'000 + run);
        test::EngineWorld world;
        const auto busy = std::make_shared<test::RecordingSink>();
        const std::int64_t clients = random.between(1, 6);
        std::uint64_t id = 0;
        for (std::int64_t client = 0; client < clients; ++client) {
            const model::ClientId name = world.connect(busy);
            for (std::int64_t i = random.between(1, 40); i > 0; --i) {
                ++id;
                model::PathRequest request = world.long_request(id, static_cast<int>(id));
                request.priority = static_cast<model::Priority>(random.between(0, 3));
                world.engine->submit(name, request);
            }
        }
        for (std::int64_t i = random.between(0, 300); i > 0; --i) {
            world.slice();
            world.clock.advance(microseconds(random.between(0, 5000)));
        }
        const auto sink = std::make_shared<test::RecordingSink>();
        const std::uint64_t before = world.engine->stats().expansions;
        world.engine->submit(world.connect(sink), world.request(1, {2, 3}, {5, 4}));
        while (sink->count() == 0) {
            world.slice();
        }
        const std::uint64_t turn = 4096 + 64;  // Scheduler::kTurn and one slice
        ASSERT_LE(world.engine->stats().expansions - before,
                  static_cast<std::uint64_t>(clients) * turn + 64);
    }
}

// If this failed, whoever asks for long paths would get most of the workers (law 6).
TEST(EngineSim, ClientsShareByWorkAndNotByTheNumberOfSlices) {
    engine::Config config = test::EngineWorld::pumped();
    config.cache_bytes_max = 0;
    const test::EngineWorld world(config);
    const auto heavy = std::make_shared<test::RecordingSink>();
    const auto light = std::make_shared<test::RecordingSink>();
    const model::ClientId heavy_client = world.connect(heavy);
    const model::ClientId light_client = world.connect(light);
    for (std::uint64_t id = 1; id <= 100; ++id) {
        world.engine->submit(heavy_client, world.long_request(id, static_cast<int>(id)));
    }
    constexpr std::uint64_t kShort = 2000;
    for (std::uint64_t id = 1; id <= kShort; ++id) {
        model::PathRequest request = world.request(id, {3, 3}, {6, 5});
        request.query.algorithm = model::Algorithm::kDijkstra;
        request.query.expansions_max = 1'000'000 + id;  // so that none is joined
        world.engine->submit(light_client, request);
    }
    while (light->count() < kShort) {
        world.slice();
    }
    std::uint64_t light_work = 0;
    for (const model::PathReply& reply : light->replies()) {
        light_work += reply.body->result->expansions;
    }
    const std::uint64_t heavy_work = world.engine->stats().expansions - light_work;
    EXPECT_GT(light_work, 8192U);
    EXPECT_LE(heavy_work, light_work + 4096 + 64);
    EXPECT_GE(heavy_work + 4096 + 64, light_work);
}

}  // namespace
}  // namespace outrider::sim
