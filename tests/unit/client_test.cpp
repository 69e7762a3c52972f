#include <gtest/gtest.h>

#include <asio/ip/tcp.hpp>
#include <atomic>
#include <future>

#include "outrider/client/client.hpp"
#include "outrider/client/map_mirror.hpp"
#include "outrider/model/path.hpp"
#include "support/eventually.hpp"
#include "support/scripted_server.hpp"

namespace outrider {
namespace {

using asio::ip::tcp;
using client::Client;
using client::FailureKind;
using client::PathAnswer;
using test::ScriptedServer;

model::PathResult straight_path(model::Outcome outcome) {
    model::PathResult result;
    result.outcome = outcome;
    result.reason = outcome == model::Outcome::kPartial ? model::Outcome::kUnreachable : outcome;
    result.algorithm = model::Algorithm::kJps;
    result.turning_points = {{0, 0}, {5, 0}};
    result.cost = 5 * model::kCostPerCell;
    result.path_hash = model::path_hash(result.turning_points);
    return result;
}

codec::PathRequest question() {
    codec::PathRequest request;
    request.map = {1};
    request.query.goal = {{5, 0, 1, 1}, 0};
    return request;
}

TEST(Client, AsksAndGetsThePath) {
    // If this failed, a game that asks for a path would get another one, or none.
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        peer.send_path(request->id, straight_path(model::Outcome::kComplete));
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client) << client.error().message;
    const auto answer = (*client)->path(question());
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_TRUE(answer->arrived());
    EXPECT_EQ(answer->version, 7U);
    EXPECT_EQ(answer->result, straight_path(model::Outcome::kComplete));
}

TEST(Client, PartialPathIsNoArrival) {
    // If this failed, a unit would wait for ever at the end of a path that stops short (K3#28).
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        peer.send_path(peer.receive()->id, straight_path(model::Outcome::kPartial));
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client);
    const auto answer = (*client)->path(question());
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->arrived());
    EXPECT_EQ(answer->result.outcome, model::Outcome::kPartial);
}

TEST(Client, LostConnectionFailsEveryOpenCall) {
    // If this failed, a game would hang when its server dies.
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        for (int index = 0; index < 500; ++index) {
            EXPECT_TRUE(peer.receive());
        }
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client);
    std::atomic<int> failed{0};
    std::vector<client::PathCall> calls;
    for (int index = 0; index < 500; ++index) {
        calls.push_back({question(), [&failed](client::Result<PathAnswer> answer) {
                             EXPECT_FALSE(answer);
                             EXPECT_EQ(answer.error().kind, FailureKind::kClosed);
                             ++failed;
                         }});
    }
    (*client)->paths(std::move(calls));
    // A later call fails too, whether it is sent before or after the end is noticed.
    const auto late = (*client)->ping(1);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().kind, FailureKind::kClosed);
    // The callbacks run on the client's own thread, in no order with the blocking call.
    EXPECT_TRUE(test::eventually([&] { return failed == 500; })) << failed;
    EXPECT_FALSE((*client)->open());
}

TEST(Client, GoodbyeSaysWhyTheServerClosed) {
    // If this failed, an operator would read "end of file" instead of the server's reason.
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        EXPECT_TRUE(peer.receive());
        peer.send([](auto& encoder, auto& out) {
            encoder.goodbye({model::RefusalCode::kShuttingDown, "", "draining", {}}, out);
        });
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client);
    const auto answer = (*client)->path(question());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::kClosed);
    EXPECT_NE(answer.error().message.find("SHUTTING_DOWN: draining"), std::string::npos)
        << answer.error().message;
}

TEST(Client, RefusalEndsTheCallWithItsFieldAndCure) {
    // If this failed, a programmer would not see which field of the request is wrong.
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto id = peer.receive()->id;
        peer.send([id](auto& encoder, auto& out) {
            encoder.refusal(id, {model::RefusalCode::kOutOfBounds, "path.goal", "move it", {}},
                            out);
        });
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client);
    const auto answer = (*client)->path(question());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::kRefused);
    EXPECT_EQ(answer.error().refusal->field, "path.goal");
    EXPECT_EQ(answer.error().message, "OUT_OF_BOUNDS (path.goal): move it");
}

TEST(Client, RepliesToNobodyAreCountedAndHarmless) {
    // If this failed, the load test could not see a server that answers twice.
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        peer.pong(request->id);
        peer.pong(request->id);
        peer.pong(peer.receive()->id);
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client);
    ASSERT_TRUE((*client)->ping(5));
    ASSERT_TRUE((*client)->ping(6));
    EXPECT_EQ((*client)->counters().unexpected, 1U);
    EXPECT_EQ((*client)->counters().answered, 3U);
}

TEST(Client, ARefusedWatchIsForgotten) {
    // If this failed, a game that asks again for a map that the server is too busy to send would
    // grow, and hear at the end of watches that never began.
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto id = peer.receive()->id;
        peer.send([id](auto& encoder, auto& out) {
            encoder.refusal(id, {model::RefusalCode::kOverloaded, "map_state", "later", {}}, out);
        });
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client);
    std::atomic<int> ends{0};
    auto held = std::make_shared<int>();
    client::Watch watch;
    watch.on_edit = [held](const codec::MapEdited&) {};
    watch.on_end = [&ends](const client::Failure&) { ++ends; };
    const auto state = (*client)->watch({1}, std::move(watch));
    ASSERT_FALSE(state);
    EXPECT_EQ(state.error().kind, FailureKind::kRefused);
    (*client)->close();
    EXPECT_EQ(ends, 0);
    EXPECT_EQ(held.use_count(), 1);
}

TEST(Client, ClosingFromACallbackEndsTheOtherCallsOnce) {
    // If this failed, a reply that was read together with the last one wanted would count as a
    // fault of the server.
    ScriptedServer server([](ScriptedServer& peer) {
        peer.welcome();
        const auto first = peer.receive()->id;
        const auto second = peer.receive()->id;
        peer.send([&](auto& encoder, auto& out) {
            encoder.pong(first, 5, out);
            encoder.pong(second, 5, out);
        });
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client);
    std::promise<FailureKind> second_end;
    (*client)->ping(1, [&](const client::Result<codec::Pong>& pong) {
        EXPECT_TRUE(pong);
        (*client)->close();
    });
    (*client)->ping(2, [&](const client::Result<codec::Pong>& pong) {
        second_end.set_value(pong ? FailureKind::kTimeout : pong.error().kind);
    });
    EXPECT_EQ(second_end.get_future().get(), FailureKind::kClosed);
    (*client)->close();
    EXPECT_EQ((*client)->counters().unexpected, 0U);
}

TEST(Client, SilentServerTimesOut) {
    // If this failed, connecting to a port that never answers would hang the game's start.
    ScriptedServer server([](ScriptedServer& peer) {
        EXPECT_TRUE(peer.receive());
        EXPECT_FALSE(peer.receive());
    });
    client::Options options = server.options();
    options.connect_timeout = std::chrono::milliseconds(50);
    const auto client = Client::connect(options);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().kind, FailureKind::kTimeout);
}

TEST(Client, NobodyListening) {
    // If this failed, a wrong port would look like anything but a wrong port.
    asio::io_context context;
    tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
    client::Options options;
    options.port = std::to_string(acceptor.local_endpoint().port());
    acceptor.close();
    const auto client = Client::connect(options);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().kind, FailureKind::kClosed);
    EXPECT_NE(client.error().message.find(options.port), std::string::npos);
}

TEST(MapMirror, FollowsPushesAndNoticesAGap) {
    // If this failed, a client would plan on a map that the server no longer has.
    std::promise<void> mirrored;
    ScriptedServer server([&mirrored](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        peer.send_map_of_version_4(request->id);
        peer.push_wall(request->id, 5);
        mirrored.get_future().wait();
        peer.push_wall(request->id, 7);
        EXPECT_FALSE(peer.receive());
    });
    auto client = Client::connect(server.options());
    ASSERT_TRUE(client);
    const auto mirror = client::MapMirror::start(**client, {1});
    ASSERT_TRUE(mirror) << mirror.error().message;
    ASSERT_TRUE((*mirror)->wait_for(5, std::chrono::seconds(10)));
    EXPECT_FALSE((*mirror)->snapshot()->layer({0})->open({1, 0}));
    EXPECT_TRUE((*mirror)->snapshot()->layer({0})->open({2, 0}));
    EXPECT_FALSE((*mirror)->failure());
    mirrored.set_value();
    EXPECT_FALSE((*mirror)->wait_for(8, std::chrono::seconds(10)));
    ASSERT_TRUE((*mirror)->failure());
    EXPECT_EQ((*mirror)->failure()->kind, FailureKind::kProtocol);
}

TEST(MapMirror, AStartThatTimedOutTellsNobody) {
    // If this failed, a mirror that never began would call back into a game that gave it up, or
    // gather its pushes for ever.
    std::promise<void> given_up;
    ScriptedServer server([&given_up](ScriptedServer& peer) {
        peer.welcome();
        const auto request = peer.receive();
        given_up.get_future().wait();
        peer.push_wall(request->id, 5);
        peer.send_map_of_version_4(request->id);
        peer.push_wall(request->id, 5);
        peer.pong(peer.receive()->id);
        EXPECT_FALSE(peer.receive());
    });
    client::Options options = server.options();
    options.call_timeout = std::chrono::milliseconds(50);
    auto client = Client::connect(options);
    ASSERT_TRUE(client);
    std::atomic<int> told{0};
    const auto mirror =
        client::MapMirror::start(**client, {1}, [&told](const codec::MapEdited&) { ++told; });
    ASSERT_FALSE(mirror);
    EXPECT_EQ(mirror.error().kind, FailureKind::kTimeout);
    given_up.set_value();
    std::promise<void> all_read;
    (*client)->ping(5, [&](const client::Result<codec::Pong>& pong) {
        EXPECT_TRUE(pong);
        all_read.set_value();
    });
    all_read.get_future().wait();
    EXPECT_EQ(told, 0);
}

}  // namespace
}  // namespace outrider
