// Surveys through the engine's door: jobs like paths, and a group's parts.

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <stdexcept>

#include "outrider/engine/engine.hpp"
#include "outrider/engine/survey_bytes.hpp"
#include "outrider/search/survey.hpp"
#include "support/engine_world.hpp"

namespace outrider::engine {
namespace {

using model::Outcome;
using model::RefusalCode;
using test::EngineWorld;
using test::make_sink;

struct SurveyWorld : EngineWorld {
    explicit SurveyWorld(const Config& config = pumped()) : EngineWorld(config) {}

    // Every fourth cell of the map walks to its middle: many slices, many parts.
    [[nodiscard]] model::SurveyRequest group(std::uint64_t id, std::size_t units = 256) const {
        model::GroupQuery query;
        for (std::size_t i = 0; i < units; ++i) {
            const auto place = static_cast<std::int32_t>(i % 256);
            query.starts.push_back({place % 16 * 4, place / 16 * 4});
        }
        query.goal.rect = {32, 32, 1, 1};
        model::SurveyRequest request;
        request.id = {id};
        request.map = map;
        request.survey.query = std::move(query);
        return request;
    }
    void ask(const model::SurveyRequest& request) const { engine->submit(client, request); }
    // Until a part of a group has come.
    void until_a_part() const {
        while (sink->surveys().empty()) {
            slice();
        }
    }
    [[nodiscard]] RefusalCode last_refusal() const {
        const auto all = sink->surveys();
        return all.empty() || all.back().body ? RefusalCode::kUnauthenticated
                                              : all.back().body.error().code;
    }

    std::shared_ptr<test::RecordingSink> sink = make_sink();
    model::ClientId client = connect(sink);
};

// Units of all parts together; one version, one last reply, and that the last.
std::set<std::uint32_t> units_of(const std::vector<model::SurveyReply>& replies) {
    std::set<std::uint32_t> units;
    for (std::size_t i = 0; i < replies.size(); ++i) {
        EXPECT_EQ(replies[i].last, i + 1 == replies.size());
        if (!replies[i].body) {
            continue;
        }
        EXPECT_EQ(replies[i].body->version, replies.front().body->version);
        for (const auto& unit : std::get<model::GroupPaths>(replies[i].body->result->body).units) {
            EXPECT_TRUE(units.insert(unit.unit).second) << "unit " << unit.unit << " came twice";
        }
    }
    return units;
}

// If this failed, an army would wait for its last unit, or lose some, or get a path of another
// order (law 3); or its answer would hang on how it was sliced (law 4).
TEST(Survey, AGroupComesInPartsThatAreTheWhole) {
    std::vector<model::SurveyReply> first;
    for (const std::uint64_t slice : {1U, 64U, 1'000'000U}) {
        Config config = EngineWorld::pumped();
        config.expansions_per_slice = slice;
        const SurveyWorld world(config);
        world.ask(world.group(1));
        world.run_all();
        const auto replies = world.sink->surveys();
        EXPECT_EQ(units_of(replies).size(), 256U);
        EXPECT_GT(replies.size(), 1U);
        first = first.empty() ? replies : first;
        ASSERT_EQ(replies.size(), first.size());
        for (std::size_t i = 0; i < replies.size(); ++i) {
            EXPECT_EQ(*replies[i].body->result, *first[i].body->result);
        }
        EXPECT_EQ(world.engine->stats().survey_parts, replies.size() - 1);
        EXPECT_EQ(world.engine->stats().survey_bytes, 0U);
    }
}

// If this failed, an order that was taken back in the middle would go on bringing paths.
TEST(Survey, NothingComesAfterACancelOrADisconnectInTheMiddle) {
    for (const bool leaves : {false, true}) {
        const SurveyWorld world;
        world.ask(world.group(1));
        world.until_a_part();
        if (leaves) {
            world.engine->disconnect(world.client);
        } else {
            EXPECT_TRUE(world.engine->cancel(world.client, {1}));
            EXPECT_EQ(world.sink->surveys().back().body->result->outcome, Outcome::kCancelled);
            (void)units_of(world.sink->surveys());
        }
        const std::size_t came = world.sink->surveys().size();
        world.run_all();
        EXPECT_EQ(world.sink->surveys().size(), came);
        const Stats stats = world.engine->stats();
        EXPECT_EQ(stats.survey_bytes + stats.queued + stats.suspended, 0U);
    }
}

// If this failed, a group that runs out of time would lose the units that were served.
TEST(Survey, ADeadlineInTheMiddleEndsTheGroup) {
    SurveyWorld world;
    model::SurveyRequest request = world.group(1);
    request.deadline = world.clock.now() + std::chrono::milliseconds(1);
    world.ask(request);
    world.until_a_part();
    world.clock.advance(std::chrono::milliseconds(2));
    world.run_all();
    const auto replies = world.sink->surveys();
    EXPECT_FALSE(units_of(replies).empty());
    EXPECT_EQ(replies.back().body->result->outcome, Outcome::kDeadline);
    request.id = {2};
    world.ask(request);
    EXPECT_EQ(world.sink->surveys().back().body->result->outcome, Outcome::kDeadline);
}

// If this failed, a large field whose time is over would be written in one go, and a short path
// wait for that (law 6); or it would never end.
TEST(Survey, AFieldAtItsDeadlineIsWrittenAmongOtherJobs) {
    SurveyWorld world;
    model::FieldQuery query;
    query.goal.rect = {32, 32, 1, 1};
    query.rect = {0, 0, 64, 64};
    query.costs = true;
    model::SurveyRequest request;
    request.id = {1};
    request.map = world.map;
    request.survey.query = query;
    request.deadline = world.clock.now() + std::chrono::milliseconds(1);
    world.ask(request);
    for (int i = 0; i < 20; ++i) {
        world.slice();
    }
    world.clock.advance(std::chrono::milliseconds(2));
    const auto light = make_sink();
    const model::ClientId other = world.connect(light);
    std::uint64_t slices = 0;
    for (std::uint64_t id = 1; world.sink->surveys().empty(); ++id, ++slices) {
        ASSERT_LT(slices, 1000U);
        world.engine->submit(other, world.request(id, {2, 3}, {5, static_cast<int>(4 + id % 9)}));
        world.slice();
    }
    EXPECT_GT(slices, 10U);
    EXPECT_GT(light->count(), 10U);
    const model::SurveyResult& result = *world.sink->surveys().back().body->result;
    EXPECT_EQ(result.outcome, Outcome::kDeadline);
    const auto& arrows = std::get<model::FieldArrows>(result.body);
    EXPECT_EQ(arrows.steps.size(), 64U * 64U / 2);
    EXPECT_EQ(arrows.step(32 * 64 + 33), model::FieldStep{3});
    EXPECT_EQ(arrows.step(0), model::FieldStep::kUnknown);
}

// If this failed, a survey that has no slot would lie about with its buffers beyond their bound
// while it is written (law 5), or never be answered.
TEST(Survey, AtItsDeadlineAFieldWithoutASlotIsNotWritten) {
    // One slot, and a path that holds it.
    Config config = EngineWorld::pumped();
    config.suspended_max = 1;
    // The field's time ends within its first slice, where the engine sees it at the next turn of
    // somebody else.
    std::function<void()> within_first_slice;
    config.before_survey_slice = [&](const model::Survey&) {
        if (const auto once = std::exchange(within_first_slice, nullptr)) {
            once();
        }
    };
    SurveyWorld world(config);
    world.engine->submit(world.client, world.long_request(10));
    world.slice();
    world.slice();
    model::SurveyRequest request;
    request.id = {1};
    request.map = world.map;
    request.survey.query = model::FieldQuery{{.rect = {32, 32, 1, 1}}, {0, 0, 64, 64}, false};
    request.deadline = world.clock.now() + std::chrono::milliseconds(1);
    within_first_slice = [&] {
        world.clock.advance(std::chrono::milliseconds(2));
        world.slice();
    };
    world.ask(request);
    for (int i = 0; i < 4; ++i) {
        world.slice();
    }
    ASSERT_EQ(world.sink->surveys().size(), 1U);
    const model::SurveyResult& result = *world.sink->surveys().back().body->result;
    EXPECT_EQ(result.outcome, Outcome::kDeadline);
    EXPECT_TRUE(std::get<model::FieldArrows>(result.body).steps.empty());
    EXPECT_EQ(world.engine->stats().suspended, 1U);
    EXPECT_EQ(world.sink->count(), 0U);  // the path holds it still
}

// If this failed, half of an army would be sent over a map that is gone, the other half over the
// newest (law 2); or edits would be held up by armies without a bound (law 5).
TEST(Survey, AGroupThatHasBegunIsAnsweredOnOneVersion) {
    for (const std::size_t snapshots : {2U, 3U, 4U}) {
        Config config = EngineWorld::pumped();
        config.snapshots_per_map_max = snapshots;
        const SurveyWorld world(config);
        // The eldest job holds another version than the groups.
        world.engine->submit(world.client, world.long_request(100));
        world.slice();
        std::vector<std::weak_ptr<const map::Snapshot>> alive{world.engine->snapshot(world.map)};
        for (std::uint64_t id = 1; id <= 4; ++id) {
            world.edit({60, 60, 1, 1}, id % 2 == 0 ? '.' : '@');
            alive.emplace_back(world.engine->snapshot(world.map));
            world.ask(world.group(id));
            for (int i = 0; i < 30; ++i) {
                world.slice();
            }
            EXPECT_LE(std::ranges::count_if(alive, [](const auto& it) { return !it.expired(); }),
                      static_cast<std::ptrdiff_t>(snapshots));
        }
        world.run_all();
        for (std::uint64_t id = 1; id <= 4; ++id) {
            auto replies = world.sink->surveys();
            std::erase_if(replies, [&](const auto& reply) { return reply.id.value != id; });
            EXPECT_EQ(units_of(replies).size(), 256U) << id;
        }
    }
}

// If this failed, a survey could pass by the limits that hold for paths, or share an id with one.
TEST(Survey, SharesIdsLimitsAndDrainWithPaths) {
    Config config = EngineWorld::pumped();
    config.requests_per_client_max = 2;
    const SurveyWorld world(config);
    world.engine->submit(world.client, world.long_request(1));
    world.ask(world.group(1));
    EXPECT_EQ(world.last_refusal(), RefusalCode::kInvalidArgument);
    world.ask(world.group(2));
    world.engine->submit(world.client, world.long_request(2));
    EXPECT_EQ(world.sink->refusal_of(2), RefusalCode::kInvalidArgument);
    world.ask(world.group(3));
    EXPECT_EQ(world.last_refusal(), RefusalCode::kOverloaded);
    world.sink->forget_surveys();
    world.engine->begin_drain();
    world.ask(world.group(4));
    EXPECT_EQ(world.last_refusal(), RefusalCode::kShuttingDown);
    world.sink->forget_surveys();
    EXPECT_FALSE(world.engine->drained());
    world.run_all();
    EXPECT_EQ(units_of(world.sink->surveys()).size(), 256U);
    EXPECT_TRUE(world.engine->drained());
}

// If this failed, large armies in the queue, or answers that nobody fetches, would fill the memory.
TEST(Survey, QuestionsAndAnswersAreBoundedByBytes) {
    Config config = EngineWorld::pumped();
    for (const std::size_t bound : {survey_bytes_at_most() - 1, survey_bytes_at_most()}) {
        config.survey_bytes_max = bound;
        EXPECT_EQ(Engine::create(config, test::ManualClock()).has_value(),
                  bound == survey_bytes_at_most());
    }
    const std::size_t one = sizeof(model::Survey) + 10'000 * sizeof(model::Cell);
    for (const std::size_t off : {0U, 1U, 2U}) {  // one above the bound, at it, one below
        config.survey_bytes_max = 4 * one - 1 + off;
        const SurveyWorld world(config);
        for (std::uint64_t id = 1; id <= 4; ++id) {
            world.ask(world.group(id, 10'000));
        }
        EXPECT_EQ(world.last_refusal() == RefusalCode::kOverloaded, off == 0);
    }
    config = EngineWorld::pumped();
    std::size_t held = 0;
    {
        const SurveyWorld world(config);
        world.ask(world.group(1));
        world.run_all();
        held = world.engine->stats().survey_result_bytes;
        world.sink->forget_surveys();
        EXPECT_EQ(world.engine->stats().survey_result_bytes, 0U);
    }
    for (const std::size_t bound : {held - 1, held, held + 1}) {
        config.survey_result_bytes_max = bound;
        const SurveyWorld world(config);
        world.ask(world.group(1));
        world.run_all();
        world.ask(world.group(2));
        EXPECT_EQ(world.last_refusal() == RefusalCode::kOverloaded, bound <= held);
        world.sink->forget_surveys();
        world.ask(world.group(3));
        EXPECT_TRUE(world.sink->surveys().empty());
    }
}

// If this failed, one army that breaks the search would take the server with it.
TEST(Survey, AFailureIsThatOneRequestsOwn) {
    Config config = EngineWorld::pumped();
    config.before_survey_slice = [](const model::Survey& survey) {
        if (std::get<model::GroupQuery>(survey.query).starts.size() == 3) {
            throw std::runtime_error("broken");
        }
    };
    const SurveyWorld world(config);
    world.ask(world.group(1, 3));
    world.run_all();
    EXPECT_EQ(world.last_refusal(), RefusalCode::kInternal);
    world.sink->forget_surveys();
    world.ask(world.group(2));
    world.run_all();
    EXPECT_EQ(units_of(world.sink->surveys()).size(), 256U);
}

// If this failed, workers would mix up the parts of groups.
TEST(Survey, WorkersGiveTheSameGroupsAsThePump) {
    const SurveyWorld world(EngineWorld::with_workers(4));
    for (std::uint64_t id = 1; id <= 20; ++id) {
        world.ask(world.group(id));
    }
    ASSERT_TRUE(world.sink->wait_for_surveys(20));
    for (std::uint64_t id = 1; id <= 20; ++id) {
        auto replies = world.sink->surveys();
        std::erase_if(replies, [&](const auto& reply) { return reply.id.value != id; });
        EXPECT_EQ(units_of(replies).size(), 256U);
    }
}

// If this failed, a player's single unit would wait for another player's armies (law 6).
TEST(Survey, AShortPathDoesNotWaitForArmies) {
    const SurveyWorld world;
    for (std::uint64_t id = 1; id <= 10; ++id) {
        world.ask(world.group(id, 10'000));
    }
    for (int i = 0; i < 100; ++i) {
        world.slice();
    }
    const auto light = make_sink();
    const std::uint64_t before = world.engine->stats().expansions;
    world.engine->submit(world.connect(light), world.request(1, {2, 3}, {5, 4}));
    while (light->count() == 0) {
        world.slice();
    }
    EXPECT_LE(world.engine->stats().expansions - before, 4096U + 2048U);
}

}  // namespace
}  // namespace outrider::engine
