#include <gtest/gtest.h>

#include <string>

#include "integration/server_fixture.hpp"

namespace outrider::test {
namespace {

using model::RefusalCode;
using net::Role;
using namespace std::chrono_literals;

struct ServerAccessTest : ServerTest {
    ServerAccessTest() {
        net_config.access.tokens = {{net::digest_of("play"), Role::kPlayer, ""},
                                    {net::digest_of("build"), Role::kBuilder, ""},
                                    {net::digest_of("rule"), Role::kAdmin, ""}};
    }
    net::Rates& rates_of(Role role) {
        return net_config.access.rates[static_cast<std::size_t>(role)];
    }
    [[nodiscard]] codec::AddClassRequest tank() const {
        model::MovementClass tank = model::ground_class();
        tank.name = "tank";
        tank.footprint = 2;
        return {map, tank};
    }
    // What start() would refuse, so that it is no test of its own server.
    [[nodiscard]] base::Result<std::unique_ptr<net::Server>> try_open() {
        log = std::make_unique<telemetry::Log>(telemetry::LogConfig{.level = log_level}, steady);
        engine = std::move(engine::Engine::create(engine_config, steady).value());
        return net::Server::open(net_config, {.engine = *engine,
                                              .engine_config = engine_config,
                                              .clock = *session_clock,
                                              .log = *log});
    }
    // A Ping that must pass.
    static void expect_pong(RawClient& client, std::uint64_t id) {
        client.send(id, codec::Ping{id});
        EXPECT_EQ(client.expect<codec::Pong>(id).payload, id);
    }
    static model::Refusal refused_ping(RawClient& client, std::uint64_t id) {
        client.send(id, codec::Ping{id});
        return client.expect<model::Refusal>(id);
    }
};

// If this failed, any player's client could wall in its opponents.
TEST_F(ServerAccessTest, EachRoleMayDoWhatIsItsOwn) {
    start();
    RawClient player(server->port());
    RawClient builder(server->port());
    RawClient admin(server->port());
    player.greet("play");
    builder.greet("build");
    admin.greet("rule");

    player.send(2, block(3, 0));
    const model::Refusal edit = player.expect<model::Refusal>(2);
    EXPECT_EQ(edit.code, RefusalCode::kPermissionDenied);
    EXPECT_EQ(edit.field, "edit");
    EXPECT_NE(edit.message.find("role builder"), std::string::npos) << edit.message;
    EXPECT_NE(edit.message.find("player"), std::string::npos) << edit.message;
    player.send(3, tank());
    EXPECT_EQ(player.expect<model::Refusal>(3).code, RefusalCode::kPermissionDenied);
    player.send(4, across());
    EXPECT_EQ(player.expect<codec::PathPart>(4).head->version, 1U) << "nothing was edited";

    builder.send(2, block(3, 0));
    EXPECT_EQ(builder.expect<codec::EditReply>(2).version, 2U);
    builder.send(3, tank());
    const model::Refusal added = builder.expect<model::Refusal>(3);
    EXPECT_EQ(added.code, RefusalCode::kPermissionDenied);
    EXPECT_EQ(added.field, "add_class");
    EXPECT_NE(added.message.find("role admin"), std::string::npos) << added.message;

    admin.send(2, block(4, 0));
    EXPECT_EQ(admin.expect<codec::EditReply>(2).version, 3U);
    admin.send(3, tank());
    (void)admin.expect<codec::AddClassReply>(3);
    expect_pong(player, 5);
}

// If this failed, one client that asks in a loop would take the server from all others.
TEST_F(ServerAccessTest, RequestsBeyondTheRateAreRefusedAndPassLater) {
    rates_of(Role::kPlayer).requests_per_second = 10;
    start();
    RawClient client(server->port());
    client.greet("play");
    std::uint64_t id = 2;
    for (int i = 0; i < 10; ++i) {
        expect_pong(client, id++);
    }
    const model::Refusal refusal = refused_ping(client, id++);
    EXPECT_EQ(refusal.code, RefusalCode::kOverloaded);
    EXPECT_GT(refusal.retry_after, 0ms);
    EXPECT_NE(refusal.message.find("10 requests"), std::string::npos) << refusal.message;
    client.send(id, codec::CancelRequest{{1}});
    (void)client.expect<codec::CancelReply>(id++);
    RawClient again(server->port());
    again.greet("play");
    EXPECT_EQ(refused_ping(again, 2).retry_after, refusal.retry_after)
        << "a second session is no second rate, nor a second life";
    RawClient other(server->port());
    other.greet("build");
    expect_pong(other, 2);
    RawClient elsewhere(server->port(), "127.0.0.2");
    elsewhere.greet("play");
    expect_pong(elsewhere, 2);
    clock.advance(refusal.retry_after);
    expect_pong(client, id++);
    clock.advance(2s);
    for (int i = 0; i < 10; ++i) {
        expect_pong(client, id++);
    }
    EXPECT_EQ(refused_ping(client, id).code, RefusalCode::kOverloaded);
}

// Fault kind: a way around a bound. If this failed, one client that sends what is refused anyway,
// in a loop, would take the server from all others.
TEST_F(ServerAccessTest, WhatIsRefusedAnywayCountsAsARequest) {
    constexpr std::uint64_t kRate = 10;
    rates_of(Role::kPlayer).requests_per_second = kRate;
    start();
    const auto expect_bound = [&](const char* from, const auto& body, RefusalCode refused) {
        RawClient client(server->port(), from);
        client.greet("play");
        for (std::uint64_t id = 2; id < 2 + kRate; ++id) {
            client.send(id, body);
            EXPECT_EQ(client.expect<model::Refusal>(id).code, refused) << id;
        }
        client.send(50, body);
        const auto refusal = client.expect<model::Refusal>(50);
        EXPECT_EQ(refusal.code, RefusalCode::kOverloaded);
        EXPECT_GT(refusal.retry_after, 0ms);
        EXPECT_EQ(refused_ping(client, 51).code, RefusalCode::kOverloaded) << "one account for all";
        clock.advance(refusal.retry_after);
        client.send(52, body);
        EXPECT_EQ(client.expect<model::Refusal>(52).code, refused);
    };
    codec::PathRequest late = across();
    late.deadline_us = codec::kDeadlineUsMax + 1;
    expect_bound("127.0.0.2", late, RefusalCode::kInvalidArgument);
    expect_bound("127.0.0.3", block(3, 0), RefusalCode::kPermissionDenied);
    expect_bound("127.0.0.4", tank(), RefusalCode::kPermissionDenied);
    EXPECT_EQ(engine->stats().edits, 0U);
}

// If this failed, surveys of whole maps would be a way around the rate of searches.
TEST_F(ServerAccessTest, PathsAndSurveysAreChargedByTheirExpansions) {
    rates_of(Role::kPlayer) = {
        .requests_per_second = 0, .work_per_second = 1, .edits_per_second = 0};
    start();
    RawClient paths(server->port());
    paths.greet("play");
    paths.send(2, across());
    const auto answer = paths.expect<codec::PathPart>(2);
    ASSERT_GT(answer.head->expansions, 1U);
    const model::Refusal refusal = refused_ping(paths, 3);
    EXPECT_EQ(refusal.code, RefusalCode::kOverloaded);
    EXPECT_NE(refusal.message.find("expansions"), std::string::npos) << refusal.message;
    EXPECT_EQ(refusal.retry_after, std::chrono::seconds(answer.head->expansions - 1) + 1ms);

    // Known from before: no work, and so none to pay for.
    RawClient again(server->port(), "127.0.0.2");
    again.greet("play");
    again.send(2, across());
    EXPECT_EQ(again.expect<codec::PathPart>(2).head->expansions, answer.head->expansions);
    EXPECT_EQ(engine->stats().cache_hits, 1U);
    expect_pong(again, 3);

    RawClient surveys(server->port(), "127.0.0.3");
    surveys.greet("play");
    codec::SurveyRequest survey;
    survey.map = map;
    survey.survey.query =
        model::NearestQuery{.start = {0, 0}, .goals = {{{7, 5, 1, 1}}}, .count = 1};
    surveys.send(2, survey);
    const auto part = surveys.expect<codec::SurveyPart>(2);
    ASSERT_TRUE(part.last);
    ASSERT_GT(part.head->expansions, 1U);
    EXPECT_EQ(refused_ping(surveys, 3).retry_after,
              std::chrono::seconds(part.head->expansions - 1) + 1ms);
}

// If this failed, a script that builds without end would make every search begin anew.
TEST_F(ServerAccessTest, EditsBeyondTheRateAreRefusedAndQuestionsAreNot) {
    rates_of(Role::kBuilder) = {
        .requests_per_second = 0, .work_per_second = 0, .edits_per_second = 2};
    start();
    RawClient client(server->port());
    client.greet("build");
    client.send(2, block(0, 0));
    (void)client.expect<codec::EditReply>(2);
    client.send(3, block(1, 0));
    (void)client.expect<codec::EditReply>(3);
    client.send(4, block(2, 0));
    const model::Refusal refusal = client.expect<model::Refusal>(4);
    EXPECT_EQ(refusal.code, RefusalCode::kOverloaded);
    EXPECT_GT(refusal.retry_after, 0ms);
    expect_pong(client, 5);
    clock.advance(refusal.retry_after);
    client.send(6, block(2, 0));
    EXPECT_EQ(client.expect<codec::EditReply>(6).version, 4U) << "the refused one changed nothing";
}

// If this failed, one machine could take all the places of the server.
TEST_F(ServerAccessTest, ConnectionsOfOneAddressAreBounded) {
    net_config.access.connections_per_address_max = 2;
    net_config.access.count_loopback = true;
    start();
    RawClient first(server->port());
    RawClient second(server->port());
    first.greet("play");
    second.greet("play");
    {
        RawClient third(server->port());
        const model::Refusal reason = third.expect_goodbye();
        EXPECT_EQ(reason.code, RefusalCode::kOverloaded);
        EXPECT_NE(reason.message.find("address"), std::string::npos) << reason.message;
        EXPECT_GT(reason.retry_after, 0ms);
    }
    first.hang_up();
    ASSERT_TRUE(sessions_become(1));
    RawClient fourth(server->port());
    fourth.greet("play");
}

// If this failed, a server that somebody put on the network in a hurry would be everybody's.
TEST_F(ServerAccessTest, NobodyListensInPublicWithoutTokens) {
    net_config.access.tokens.clear();
    net_config.host = "0.0.0.0";
    const auto refused = try_open();
    ASSERT_FALSE(refused.has_value());
    for (const char* cure : {"--token-file", "127.0.0.1", "--insecure-public"}) {
        EXPECT_NE(refused.error().message.find(cure), std::string::npos) << refused.error().message;
    }
    net_config.insecure_public = true;
    EXPECT_TRUE(try_open().has_value());
    net_config.insecure_public = false;
    net_config.access.tokens = {{net::digest_of("play"), Role::kPlayer, ""}};
    auto with_tokens = try_open();
    ASSERT_TRUE(with_tokens.has_value());
    net::Config without_tokens = net_config;
    without_tokens.access.tokens.clear();
    EXPECT_FALSE((*with_tokens)->reload(without_tokens).has_value())
        << "nor may it become so later";
}

// If this failed, a token that was taken away would stay good until its holder hangs up.
TEST_F(ServerAccessTest, NewRulesHoldForSessionsThatAreOpen) {
    start();
    RawClient player(server->port());
    RawClient builder(server->port());
    player.greet("play");
    builder.greet("build");
    net::Config rules = net_config;
    rules.access.tokens = {{net::digest_of("build"), Role::kPlayer, ""},
                           {net::digest_of("new"), Role::kBuilder, ""}};
    ASSERT_TRUE(server->reload(rules).has_value());
    const model::Refusal reason = player.expect_goodbye();
    EXPECT_EQ(reason.code, RefusalCode::kUnauthenticated);
    EXPECT_EQ(reason.field, "hello.token");
    builder.send(2, block(3, 0));
    EXPECT_EQ(builder.expect<model::Refusal>(2).code, RefusalCode::kPermissionDenied);
    RawClient newer(server->port());
    newer.greet("new");
    newer.send(2, block(3, 0));
    EXPECT_EQ(newer.expect<codec::EditReply>(2).version, 2U);
}

}  // namespace
}  // namespace outrider::test
