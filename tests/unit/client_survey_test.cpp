#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "outrider/client/client.hpp"
#include "support/scripted_server.hpp"

namespace outrider {
namespace {

using client::Client;
using client::FailureKind;
using client::GroupArrival;
using client::SurveyAnswer;
using test::ScriptedServer;

model::UnitPath way_of(std::uint32_t unit) {
    return {.unit = unit,
            .outcome = model::Outcome::kComplete,
            .reason = model::Outcome::kComplete,
            .bound_percent = 100,
            .cost = 8160,
            .turning_points = {{static_cast<std::int32_t>(unit), 0},
                               {static_cast<std::int32_t>(unit), 1}},
            .path_hash = unit + 5};
}

model::SurveyResult group_of(std::vector<std::uint32_t> units, std::uint64_t expansions = 9) {
    model::GroupPaths paths;
    for (const std::uint32_t unit : units) {
        paths.units.push_back(way_of(unit));
    }
    return {model::Outcome::kComplete, expansions, std::move(paths)};
}

codec::SurveyRequest march_of(std::size_t units) {
    codec::SurveyRequest request;
    request.map = {1};
    request.survey.query =
        model::GroupQuery{.starts = std::vector<model::Cell>(units), .goal = {}, .formation = {}};
    return request;
}

std::vector<std::uint32_t> units_of(const std::vector<model::UnitPath>& paths) {
    std::vector<std::uint32_t> units;
    for (const model::UnitPath& path : paths) {
        units.push_back(path.unit);
    }
    return units;
}

// If this failed, the first of an army would stand still until the last knows its way.
TEST(ClientSurvey, UnitsOfAGroupAreThereBeforeTheLast) {
    std::promise<void> first_seen;
    ScriptedServer server([&](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        peer.send_survey(request->id, group_of({2, 0}), false);
        first_seen.get_future().wait();
        peer.pong({99});  // to nobody: replies may come in between
        peer.send_survey(request->id, group_of({1}, 20), true);
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    std::vector<GroupArrival> arrivals;
    const auto answer = (*client)->survey(march_of(3), [&](GroupArrival arrival) {
        arrivals.push_back(std::move(arrival));
        if (arrivals.size() == 1) {
            first_seen.set_value();
        }
    });
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(units_of(arrivals[0].units), (std::vector<std::uint32_t>{2, 0}));
    EXPECT_EQ(arrivals[0].units[0], way_of(2));
    EXPECT_EQ(arrivals[0].version, 7U);
    EXPECT_EQ(units_of(arrivals[1].units), (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(answer->result.expansions, 20U);
    EXPECT_TRUE(std::get<model::GroupPaths>(answer->result.body).units.empty());
    EXPECT_EQ((*client)->counters().unexpected, 1U);
}

// If this failed, who does not listen to the parts would lose all units but the last.
TEST(ClientSurvey, WithoutAListenerTheAnswerHasAllUnits) {
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        peer.send_survey(request->id, group_of({2}), false);
        peer.send_survey(request->id, group_of({}), false);
        peer.send_survey(request->id, group_of({0, 1}), true);
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    const auto answer = (*client)->survey(march_of(3));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(units_of(std::get<model::GroupPaths>(answer->result.body).units),
              (std::vector<std::uint32_t>{2, 0, 1}));
    EXPECT_EQ((*client)->counters().answered, 2U);
}

// If this failed, a connection that dies within a group would end the call twice, or never.
TEST(ClientSurvey, ALostConnectionEndsAGroupOnce) {
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        peer.send_survey(request->id, group_of({0}), false);
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    int parts = 0;
    int ends = 0;
    std::promise<FailureKind> ended;
    (*client)->survey({march_of(2),
                       [&](const client::Result<SurveyAnswer>& result) {
                           ++ends;
                           ended.set_value(result ? FailureKind::kBusy : result.error().kind);
                       },
                       [&](const GroupArrival&) { ++parts; }});
    EXPECT_EQ(ended.get_future().get(), FailureKind::kClosed);
    client->reset();
    EXPECT_EQ(parts, 1);
    EXPECT_EQ(ends, 1);
}

// If this failed, an army that was called back would march on.
TEST(ClientSurvey, ACancelledGroupEndsByItsId) {
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        const auto cancel = peer.receive();
        EXPECT_EQ(std::get<codec::CancelRequest>(cancel->body).request, request->id);
        model::SurveyResult result = group_of({0});
        result.outcome = model::Outcome::kCancelled;
        peer.send_survey(request->id, result, true);
        peer.send([&](auto& encoder, auto& out) { encoder.cancel(cancel->id, true, out); });
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    std::promise<client::Result<SurveyAnswer>> ended;
    const model::RequestId id =
        (*client)->survey({march_of(2), [&](client::Result<SurveyAnswer> result) {
                               ended.set_value(std::move(result));
                           }});
    const auto cancelled = (*client)->cancel(id);
    ASSERT_TRUE(cancelled) << cancelled.error().message;
    EXPECT_TRUE(cancelled->cancelled);
    const auto answer = ended.get_future().get();
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->result.outcome, model::Outcome::kCancelled);
}

// If this failed, an answer of another kind, or one for units that nobody has, would be believed.
TEST(ClientSurvey, AReplyThatDoesNotFitTheQuestionIsAProtocolFailure) {
    for (const bool other_kind : {false, true}) {
        ScriptedServer server([other_kind](ScriptedServer& peer) {
            peer.welcome();
            const auto request = peer.receive();
            model::SurveyResult result = group_of({7});
            if (other_kind) {
                result.body = model::Sight{true};
            }
            peer.send_survey(request->id, result);
            EXPECT_FALSE(peer.receive());
        });
        auto client = Client::connect(server.options());
        ASSERT_TRUE(client) << client.error().message;
        const auto answer = (*client)->survey(march_of(2));
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().kind, FailureKind::kProtocol);
    }
}

// If this failed, a question that the server refuses would hang, or lose the server's reason.
TEST(ClientSurvey, ARefusalSaysWhy) {
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        const model::Refusal refusal{model::RefusalCode::kOverloaded, "survey", "too many", {}};
        peer.send([&](auto& encoder, auto& out) { encoder.refusal(request->id, refusal, out); });
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    codec::SurveyRequest request;
    request.survey.query = model::SightQuery{};
    const auto answer = (*client)->survey(request);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::kRefused);
    EXPECT_EQ(answer.error().refusal->code, model::RefusalCode::kOverloaded);
}

}  // namespace
}  // namespace outrider
