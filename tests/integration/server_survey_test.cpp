#include <gtest/gtest.h>

#include <set>

#include "integration/server_fixture.hpp"
#include "outrider/client/client.hpp"
#include "outrider/codec/assemble.hpp"

namespace outrider::test {
namespace {

using model::Outcome;

struct ServerSurveyTest : ServerTest {
    [[nodiscard]] std::unique_ptr<client::Client> connect() const {
        client::Options options;
        options.port = std::to_string(server->port());
        return client::Client::connect(options).value();
    }
    [[nodiscard]] static codec::SurveyRequest ask(decltype(model::Survey::query) query) {
        codec::SurveyRequest request;
        request.map_name = "drawn";
        request.class_name = "ground";
        request.survey.query = std::move(query);
        return request;
    }
    // Every cell of a square of open ground walks to its corner.
    [[nodiscard]] static codec::SurveyRequest march(model::MapId field, std::int32_t side) {
        model::GroupQuery query{.starts = {}, .goal = {}, .formation = {}};
        for (std::int32_t i = 0; i < side * side; ++i) {
            query.starts.push_back({i % side, i / side});
        }
        codec::SurveyRequest request = ask(std::move(query));
        request.map = field;
        request.map_name.clear();
        return request;
    }
};

// If this failed, a game on the network could not ask what its neighbour in process can.
TEST_F(ServerSurveyTest, EachKindIsAnswered) {
    start();
    const auto client = connect();
    const auto body = [&](decltype(model::Survey::query) query) {
        const auto answer = client->survey(ask(std::move(query)));
        EXPECT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->result.outcome, Outcome::kComplete);
        EXPECT_EQ(answer->version, 1U);
        return answer->result.body;
    };
    const model::Goal corner{{7, 5, 1, 1}};
    const auto group = std::get<model::GroupPaths>(
        body(model::GroupQuery{.starts = {{0, 0}, {7, 5}}, .goal = corner, .formation = {}}));
    codec::PathRequest single = across();
    EXPECT_EQ(group.units.size(), 2U);
    for (const model::UnitPath& unit : group.units) {
        single.query.start = unit.unit == 0 ? model::Cell{0, 0} : model::Cell{7, 5};
        EXPECT_EQ(unit.cost, client->path(single)->result.cost);
    }
    for (const std::vector<model::Cell>& formation :
         {std::vector<model::Cell>{}, {{0, 0}, {-1, 0}, {0, -1}}}) {
        const auto parked =
            std::get<model::GroupPaths>(body(model::GroupQuery{.starts = {{0, 0}, {1, 0}, {7, 5}},
                                                               .goal = corner,
                                                               .own_ends = true,
                                                               .formation = formation}));
        std::set<model::Cell> ends;
        for (const model::UnitPath& unit : parked.units) {
            ASSERT_FALSE(unit.turning_points.empty());
            ends.insert(unit.turning_points.back());
        }
        EXPECT_EQ(ends, (std::set<model::Cell>{{7, 5}, {6, 5}, {7, 4}}));
    }
    const auto nearest = std::get<model::NearestGoals>(
        body(model::NearestQuery{.start = {0, 0}, .goals = {corner, {{0, 3, 1, 1}}}}));
    ASSERT_EQ(nearest.goals.size(), 1U);
    EXPECT_EQ(nearest.goals[0].goal, 1U);
    EXPECT_EQ(nearest.goals[0].cost, 3U * model::kCostPerCell);
    const auto reach = std::get<model::Reach>(
        body(model::ReachQuery{.starts = {{0, 0}}, .cost_max = model::kCostPerCell}));
    EXPECT_EQ(reach.runs, (std::vector<model::Run>{{0, 0, 2}, {1, 0, 1}}));
    const auto matrix =
        std::get<model::CostMatrix>(body(model::MatrixQuery{{{0, 0}}, {{0, 0}, {2, 2}, {1, 0}}}));
    EXPECT_EQ(matrix.costs[0], 0U);
    EXPECT_EQ(matrix.costs[2], std::uint64_t{model::kCostPerCell});
    const auto field =
        std::get<model::FieldArrows>(body(model::FieldQuery{{{0, 0, 1, 1}}, {0, 0, 2, 2}, true}));
    EXPECT_EQ(field.step(0), model::FieldStep::kAtGoal);
    EXPECT_EQ(field.step(3), model::FieldStep::kNone);
    EXPECT_EQ(field.costs[1], std::uint64_t{model::kCostPerCell});
    EXPECT_TRUE(std::get<model::Connection>(body(model::ConnectedQuery{{0, 0}, corner})).connected);
    EXPECT_FALSE(std::get<model::Sight>(body(model::SightQuery{{0, 0}, {7, 5}})).clear);
    EXPECT_EQ(client->counters().unexpected, 0U);
}

// If this failed, a client could not tell which field of its question to mend.
TEST_F(ServerSurveyTest, RefusalsNameTheFieldOfTheSurvey) {
    start();
    const auto client = connect();
    const auto field = [&](const codec::SurveyRequest& request) {
        const auto answer = client->survey(request);
        return answer ? std::string("answered") : answer.error().refusal.value().field;
    };
    auto request = ask(model::SightQuery{});
    request.map_name = "none";
    EXPECT_EQ(field(request), "survey.map_name");
    request = ask(model::SightQuery{});
    request.class_name = "none";
    EXPECT_EQ(field(request), "survey.class_name");
    EXPECT_EQ(field(ask(model::SightQuery{{0, 0}, {99, 0}})), "survey.sight.to");
}

// If this failed, the first units of an army would wait for the last, or some get no path at all.
TEST_F(ServerSurveyTest, AGroupIsStreamedAndEachUnitComesOnce) {
    constexpr std::int32_t kSide = 100;
    start();
    const model::MapId field = add_field(kSide);
    const auto client = connect();
    std::set<std::uint32_t> units;
    int parts = 0;
    const auto answer = client->survey(march(field, kSide), [&](client::GroupArrival arrival) {
        ++parts;
        for (const model::UnitPath& unit : arrival.units) {
            EXPECT_TRUE(units.insert(unit.unit).second);
        }
    });
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(units.size(), static_cast<std::size_t>(kSide * kSide));
    EXPECT_GT(parts, 1);
}

// If this failed, a client that leaves within a group, or a drain, would leave work or a session
// behind.
TEST_F(ServerSurveyTest, HangingUpWithinAGroupLeavesNothing) {
    constexpr std::int32_t kSide = 100;
    start();
    const model::MapId field = add_field(kSide);
    RawClient leaver(server->port(), 4096);
    leaver.greet();
    leaver.send(2, march(field, kSide));
    EXPECT_FALSE(leaver.expect<codec::SurveyPart>(2).last);
    leaver.hang_up();
    EXPECT_TRUE(sessions_become(0));
    EXPECT_EQ(server->stats().outbox_bytes, 0U);
    server->begin_drain();
    EXPECT_TRUE(server->wait_closed(std::chrono::seconds(10)));
}

// If this failed, an army that was called back would end twice, or never.
TEST_F(ServerSurveyTest, ACancelledGroupEndsOnce) {
    constexpr std::int32_t kSide = 100;
    start();
    const model::MapId field = add_field(kSide);
    RawClient client(server->port());
    client.greet();
    client.send(2, march(field, kSide));
    client.send(3, codec::CancelRequest{{2}});
    int lasts = 0;
    bool answered = false;
    while (lasts == 0 || !answered) {
        const auto message = client.receive();
        ASSERT_TRUE(message.has_value());
        if (const auto* part = std::get_if<codec::SurveyPart>(&message->body)) {
            lasts += part->last ? 1 : 0;
        } else {
            answered = std::holds_alternative<codec::CancelReply>(message->body);
        }
    }
    client.send(4, codec::Ping{4});
    EXPECT_EQ(client.expect<codec::Pong>(4).payload, 4U);
    EXPECT_EQ(lasts, 1);
}

}  // namespace
}  // namespace outrider::test
