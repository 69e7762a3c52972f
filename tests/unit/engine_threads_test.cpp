#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <set>
#include <thread>

#include "outrider/base/limits.hpp"
#include "outrider/engine/engine.hpp"
#include "support/engine_world.hpp"
#include "support/eventually.hpp"
#include "support/random.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::RefusalCode;
using std::chrono::milliseconds;
using test::EngineWorld;
using test::make_sink;
using test::RecordingSink;

// If this failed, two players' machines would see different paths for the same order (K5#58, #60).
TEST(Threads, K5_58_OneHashWithOneAndSixteenWorkersAndPumped) {
    std::set<std::uint64_t> hashes[2];
    for (const unsigned workers : {0U, 1U, 16U}) {
        Config config = EngineWorld::with_workers(workers);
        config.cache_bytes_max = 0;
        const EngineWorld world(config);
        const auto sink = make_sink();
        const model::ClientId client = world.connect(sink);
        for (std::uint64_t id = 1; id <= 100; ++id) {
            model::PathRequest request = world.request(id, {0, 0}, {63, 63});
            request.query.expansions_max = 1'000'000 + id;  // so that none is joined
            if (id % 2 == 0) {
                request.query.goal = {.rect = {60, 60, 3, 3}, .range = 1};
            }
            world.engine->submit(client, request);
        }
        if (workers == 0) {
            world.run_all();
        }
        ASSERT_TRUE(sink->wait_for(100));
        for (std::uint64_t id = 1; id <= 100; ++id) {
            ASSERT_EQ(sink->outcome_of(id), Outcome::kComplete);
            hashes[id % 2].insert(sink->result_of(id).path_hash);
        }
        EXPECT_EQ(world.engine->stats().joined, 0U);
    }
    EXPECT_EQ(hashes[0].size(), 1U);
    EXPECT_EQ(hashes[1].size(), 1U);
}

// If this failed, an order placed while a search runs would hold up the game's building (K8#86).
TEST(Threads, K8_86_EditsNeverWaitForASearch) {
    std::latch in_slice(1);
    std::latch may_go_on(1);
    Config config = EngineWorld::with_workers(1);
    config.expansions_per_slice = 1'000'000;
    std::atomic<bool> first{true};
    config.before_slice = [&](const model::PathQuery&) {
        if (first.exchange(false)) {
            in_slice.count_down();
            may_go_on.wait();
        }
    };
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    world.engine->submit(client, world.long_request(1));
    in_slice.wait();
    // The worker stands inside a slice; each of these returns all the same.
    for (int i = 0; i < 200; ++i) {
        world.edit({i % 60, 30, 1, 1}, '@');
    }
    world.engine->submit(client, world.long_request(2));
    EXPECT_EQ(world.engine->stats().running, 1U);
    EXPECT_EQ(sink->count(), 0U);
    may_go_on.count_down();
    ASSERT_TRUE(sink->wait_for(2));
    EXPECT_EQ(sink->reply_to(1).body->version, 1U);
    EXPECT_EQ(sink->reply_to(2).body->version, 201U);
}

// If this failed, a search would read tiles that a writer frees (K8#83, #85).
TEST(Threads, K8_83_OneWriterAtFullSpeedAndManyReaders) {
    Config config = EngineWorld::with_workers(2);
    config.snapshots_per_map_max = 4;
    const EngineWorld world(config);
    constexpr std::uint64_t kRequests = 150;
    std::atomic<bool> done{false};
    std::atomic<model::Version> acknowledged{1};
    std::thread writer([&] {
        for (int i = 0; !done; ++i) {
            acknowledged = world.edit({i % 62 + 1, i / 62 % 62 + 1, 2, 2}, i % 3 == 0 ? '@' : '.');
        }
    });
    std::vector<std::thread> readers;
    for (int reader = 0; reader < 3; ++reader) {
        readers.emplace_back([&world, &acknowledged, reader] {
            const auto sink = make_sink();
            const model::ClientId client = world.connect(sink);
            std::vector<model::Version> asked_at(kRequests + 1);
            for (std::uint64_t id = 1; id <= kRequests; ++id) {
                asked_at[id] = acknowledged;
                world.engine->submit(client,
                                     world.long_request(id, static_cast<int>(id % 9) + reader));
            }
            EXPECT_TRUE(sink->wait_for(kRequests));
            for (std::uint64_t id = 1; id <= kRequests; ++id) {
                const model::PathReply reply = sink->reply_to(id);
                EXPECT_TRUE(reply.body.has_value());
                EXPECT_GE(reply.body->version, asked_at[id]);
            }
            world.engine->disconnect(client);
        });
    }
    for (std::thread& reader : readers) {
        reader.join();
    }
    done = true;
    writer.join();
    EXPECT_EQ(world.engine->stats().answered, 3 * kRequests);
}

// If this failed, an exception in a worker would end the program (K8#88).
TEST(Threads, K8_88_AWorkerSurvivesWhatASearchThrows) {
    Config config = EngineWorld::with_workers(2);
    config.before_slice = [](const model::PathQuery& query) {
        if (query.start.y % 2 == 1) {
            throw std::runtime_error("injected");
        }
    };
    const EngineWorld world(config);
    const auto sink = make_sink();
    const model::ClientId client = world.connect(sink);
    for (int i = 1; i <= 40; ++i) {
        world.engine->submit(client, world.long_request(static_cast<std::uint64_t>(i), i));
    }
    ASSERT_TRUE(sink->wait_for(40));
    for (std::uint64_t id = 1; id <= 40; ++id) {
        if (id % 2 == 1) {
            EXPECT_EQ(sink->refusal_of(id), RefusalCode::kInternal);
        } else {
            EXPECT_EQ(sink->outcome_of(id), Outcome::kComplete);
        }
    }
}

// If this failed, shutting down would lose accepted orders, or take new ones (K12#125).
TEST(Threads, K12_125_ADrainAnswersAllThatWasAccepted) {
    for (const unsigned workers : {0U, 2U}) {
        EngineWorld world(EngineWorld::with_workers(workers));
        const auto sink = make_sink();
        const model::ClientId client = world.connect(sink);
        for (int i = 1; i <= 500; ++i) {
            world.engine->submit(client, world.long_request(static_cast<std::uint64_t>(i), i));
        }
        world.engine->begin_drain();
        world.engine->submit(client, world.long_request(501, 501));
        EXPECT_EQ(sink->refusal_of(501), RefusalCode::kShuttingDown);
        EXPECT_EQ(world.engine->connect(sink).error().code, RefusalCode::kShuttingDown);
        if (workers == 0) {
            EXPECT_FALSE(world.engine->drained());
        }
        EXPECT_TRUE(world.engine->wait_drained(std::chrono::seconds(60)));
        EXPECT_TRUE(world.engine->drained());
        for (std::uint64_t id = 1; id <= 500; ++id) {
            EXPECT_EQ(sink->outcome_of(id), Outcome::kComplete);
        }
    }
}

// Counts its readings down to a moment that the test waits for.
class CountingClock final : public base::Clock {
  public:
    [[nodiscard]] base::TimePoint now() const override {
        if (readings_left_.load() > 0 && readings_left_.fetch_sub(1) == 1) {
            reached.count_down();
        }
        return base::TimePoint(std::chrono::seconds(1));
    }
    void reach_after(int readings) { readings_left_ = readings; }

    mutable std::latch reached{1};

  private:
    mutable std::atomic<int> readings_left_{0};
};

// If this failed, a server that drains would wait for its whole limit when the last client that
// wanted anything hangs up.
TEST(Threads, ADrainEndsWhenTheLastRequestsGoWithTheirClient) {
    std::latch in_slice(1);
    std::latch may_go_on(1);
    Config config = EngineWorld::with_workers(1);
    config.before_slice = [&](const model::PathQuery&) {
        in_slice.count_down();
        may_go_on.wait();
    };
    CountingClock clock;
    const auto engine = Engine::create(config, clock).value();
    const auto map = engine->add_map("map", test::open_grid(64, 64), {model::ground_class()});
    const model::ClientId client = engine->connect(make_sink()).value();
    model::PathRequest request;
    request.id = {1};
    request.map = map.value();
    request.query.goal.rect = {63, 63, 1, 1};
    engine->submit(client, request);
    in_slice.wait();
    engine->begin_drain();
    // The second reading is made under the lock that disconnect() needs, just before the wait.
    clock.reach_after(2);
    std::future<bool> drained =
        std::async(std::launch::async, [&] { return engine->wait_drained(2 * test::kPatience); });
    clock.reached.wait();
    engine->disconnect(client);
    EXPECT_EQ(drained.wait_for(test::kPatience), std::future_status::ready);
    may_go_on.count_down();
    EXPECT_TRUE(drained.get());
}

// If this failed, a client that leaves while it begins to watch would be sent edits for ever.
TEST(Threads, AClientThatLeavesWhileItBeginsToWatchLeavesNothingBehind) {
    // A state that is copied at once and a long way through the maps: the two then often cross.
    const EngineWorld world(EngineWorld::pumped(), test::open_grid(1, 1));
    for (std::size_t i = 1; i < base::limits::kMapsMax; ++i) {
        (void)world.add_map(std::to_string(i), test::open_grid(1, 1));
    }
    for (std::uint64_t round = 0; round < test::rounds(500); ++round) {
        auto sink = make_sink();
        const model::ClientId client = world.connect(sink);
        const std::weak_ptr<RecordingSink> left = std::exchange(sink, nullptr);
        std::atomic<bool> leaver_ready{false};
        std::atomic<bool> go{false};
        std::thread leaver([&] {
            leaver_ready = true;
            while (!go) {
            }
            world.engine->disconnect(client);
        });
        while (!leaver_ready) {
            std::this_thread::yield();
        }
        go = true;
        (void)world.engine->watch(client, world.map);
        leaver.join();
        ASSERT_TRUE(left.expired()) << "in round " << round;
    }
}

// If this failed, a drain that cannot end would hang the server, or an end would lose orders.
TEST(Threads, TheEndAnswersWhatIsStillOpen) {
    for (const unsigned workers : {0U, 2U}) {
        const auto sink = make_sink();
        {
            const EngineWorld world(EngineWorld::with_workers(workers));
            const model::ClientId client = world.connect(sink);
            for (int i = 1; i <= 200; ++i) {
                world.engine->submit(client, world.long_request(static_cast<std::uint64_t>(i), i));
            }
            world.engine->begin_drain();
            const bool drained = world.engine->wait_drained(milliseconds{0});
            EXPECT_TRUE(workers > 0 || !drained);
        }
        ASSERT_EQ(sink->count(), 200U);
        for (std::uint64_t id = 1; id <= 200; ++id) {
            const model::PathReply reply = sink->reply_to(id);
            EXPECT_TRUE(reply.body ? reply.body->result->outcome == Outcome::kComplete
                                   : reply.body.error().code == RefusalCode::kShuttingDown);
        }
    }
}

// If this failed, a mirror of the map would miss an edit or apply it twice.
TEST(Threads, WatchersSeeEachBatchOnceInOrder) {
    const EngineWorld world;
    std::atomic<bool> done{false};
    std::vector<std::thread> writers;
    for (int writer = 0; writer < 2; ++writer) {
        writers.emplace_back([&world, &done, writer] {
            for (int i = 0; !done; ++i) {
                world.edit({i % 60, writer, 1, 1}, '@');
            }
        });
    }
    for (int round = 0; round < 20; ++round) {
        const auto sink = make_sink();
        const model::ClientId client = world.connect(sink);
        const auto state = world.engine->watch(client, world.map);
        ASSERT_TRUE(state.has_value());
        while (sink->edits().size() < 20) {
            std::this_thread::yield();
        }
        world.engine->unwatch(client, world.map);
        model::Version next = state->version + 1;
        for (const auto& [version, batch] : sink->edits()) {
            ASSERT_EQ(version, next++);
            ASSERT_EQ(batch->edits.size(), 1U);
        }
    }
    done = true;
    for (std::thread& writer : writers) {
        writer.join();
    }
}

// If this failed, a game that answers an edit by another one would lock up.
TEST(Threads, ASinkMayEditFromItsCallback) {
    const EngineWorld world;
    const auto sink = make_sink();
    sink->then_edit = [&world](model::Version version) {
        if (version < 5) {
            world.edit({static_cast<std::int32_t>(version), 0, 1, 1}, '@');
        }
    };
    const model::ClientId client = world.connect(sink);
    ASSERT_TRUE(world.engine->watch(client, world.map).has_value());
    world.edit({0, 0, 1, 1}, '@');
    ASSERT_EQ(sink->edits().size(), 4U);
    EXPECT_EQ(sink->edits().back().first, 5U);
    world.engine->disconnect(client);
    world.edit({0, 0, 1, 1}, '.');
    EXPECT_EQ(sink->edits().size(), 4U);
    EXPECT_FALSE(world.engine->watch(client, world.map).has_value());
    EXPECT_FALSE(world.engine->watch(world.connect(sink), {9}).has_value());
}

// If this failed, callers could not find their maps, or two maps would answer to one name.
TEST(Threads, MapsAreListedFoundAndNamedOnce) {
    const EngineWorld world;
    EXPECT_EQ(world.engine->find_map("map"), world.map);
    EXPECT_EQ(world.engine->find_map("other"), std::nullopt);
    const auto classes = std::vector{model::ground_class()};
    EXPECT_FALSE(world.engine->add_map("map", test::open_grid(2, 2), classes).has_value());
    EXPECT_FALSE(world.engine->add_map("", test::open_grid(2, 2), classes).has_value());
    for (const std::size_t bytes : {63U, 64U, 65U}) {
        EXPECT_EQ(world.engine->add_map(std::string(bytes, 'm'), test::open_grid(2, 2), classes)
                      .has_value(),
                  bytes <= base::limits::kNameBytesMax);
    }
    for (const std::string_view name : {"a\nb", "\x1F", "\x7F", "\x1B[2J"}) {
        EXPECT_FALSE(world.engine->add_map(std::string(name), test::open_grid(2, 2), classes));
    }
    ASSERT_EQ(world.engine->maps().size(), 3U);
    EXPECT_EQ(world.engine->map_info(world.map)->classes.size(), 1U);
    EXPECT_EQ(world.engine->map_info({77}).error().code, RefusalCode::kUnknownMap);
    for (std::size_t i = 3; i < base::limits::kMapsMax; ++i) {
        EXPECT_TRUE(world.engine->add_map(std::to_string(i), test::open_grid(2, 2), classes));
    }
    EXPECT_FALSE(world.engine->add_map("one more", test::open_grid(2, 2), classes));
    EXPECT_EQ(world.engine->snapshot(world.map)->version(), 1U);
}

}  // namespace
}  // namespace outrider::engine
