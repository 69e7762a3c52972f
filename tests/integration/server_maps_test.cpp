// Maps that are loaded and dropped over the wire.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <latch>
#include <map>
#include <thread>

#include "integration/server_fixture.hpp"
#include "outrider/app/map_files.hpp"
#include "outrider/client/map_mirror.hpp"
#include "outrider/map/map_file.hpp"
#include "outrider/net/map_thread.hpp"

namespace outrider::test {
namespace {

namespace fs = std::filesystem;
using model::RefusalCode;
using net::Role;

struct ServerMapsTest : ServerTest {
    ServerMapsTest() {
        fs::create_directories(data / "sub");
        write(data / "one.map", field(9));
        write(data / "sub" / "two.map", field(12));
        write(root / "secret.map", field(5));
        fs::create_symlink(root / "secret.map", data / "out.map");
        fs::create_symlink("sub/two.map", data / "in.map");
        fs::create_directory_symlink(root, data / "up");
        options.data_dir = data;
        load_map = [this](const net::MapOrder& order) {
            return app::MapFiles(*engine, options).load(order);
        };
    }
    ~ServerMapsTest() override { fs::remove_all(root); }

    static fs::path fresh_directory() {
        std::string name = (fs::temp_directory_path() / "outrider_maps_XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        return name;
    }
    static std::string field(std::int32_t side) {
        map::Grid grid{side, side, {}};
        grid.terrain.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), '.');
        return map::format_map(grid);
    }
    static void write(const fs::path& file, const std::string& text) {
        std::ofstream(file, std::ios::binary) << text;
    }
    static codec::LoadMapRequest from_file(std::string name, std::string file,
                                           bool replace = false) {
        return {std::move(name), std::move(file), {}, replace};
    }
    static codec::PathRequest ask(const std::string& name, std::int32_t far = 4) {
        codec::PathRequest request;
        request.map_name = name;
        request.query.goal.rect = {far, far, 1, 1};
        return request;
    }
    static RefusalCode refusal_to(RawClient& client, std::uint64_t id,
                                  decltype(codec::ClientMessage::body) body) {
        client.send(codec::ClientMessage{{id}, std::move(body)});
        return client.expect<model::Refusal>(id).code;
    }

    const fs::path root = fresh_directory();
    const fs::path data = root / "data";
    app::Options options;
};

// If this failed, an operator would have to restart a server for each map, and throw everybody out.
TEST_F(ServerMapsTest, AMapComesFromTheDataDirectoryAndGoes) {
    start();
    RawClient admin(server->port());
    RawClient player(server->port());
    admin.greet();
    player.greet();
    EXPECT_EQ(refusal_to(player, 2, ask("new")), RefusalCode::kUnknownMap);
    admin.send(2, from_file("new", "sub/two.map"));
    const auto loaded = admin.expect<codec::LoadMapReply>(2);
    EXPECT_EQ(loaded.info.name, "new");
    EXPECT_EQ(loaded.info.width, 12);
    EXPECT_EQ(loaded.info.classes.size(), 2U) << "those of the server's own maps";
    EXPECT_EQ(loaded.replaced.value, 0U);
    player.send(3, ask("new", 11));
    EXPECT_EQ(player.expect<codec::PathPart>(3).head->outcome, model::Outcome::kComplete);
    player.send(4, codec::ListMapsRequest{});
    EXPECT_EQ(player.expect<codec::ListMapsReply>(4).maps.size(), 2U);
    EXPECT_EQ(refusal_to(admin, 3, from_file("new", "one.map")), RefusalCode::kInvalidArgument)
        << "the name is taken";

    admin.send(4, codec::DropMapRequest{{}, "new"});
    EXPECT_EQ(admin.expect<codec::DropMapReply>(4).map, loaded.info.id);
    EXPECT_EQ(refusal_to(player, 5, ask("new")), RefusalCode::kUnknownMap);
    codec::PathRequest by_id = ask("");
    by_id.map = loaded.info.id;
    EXPECT_EQ(refusal_to(player, 6, by_id), RefusalCode::kUnknownMap);
    EXPECT_EQ(refusal_to(admin, 5, codec::DropMapRequest{{}, "new"}), RefusalCode::kUnknownMap);
    EXPECT_EQ(refusal_to(admin, 6, codec::DropMapRequest{loaded.info.id, ""}),
              RefusalCode::kUnknownMap);
    EXPECT_EQ(refusal_to(admin, 7, codec::EditRequest{loaded.info.id, block(1, 1).batch}),
              RefusalCode::kUnknownMap);
    admin.send(8, from_file("new", "one.map"));
    EXPECT_NE(admin.expect<codec::LoadMapReply>(8).info.id, loaded.info.id);
    player.send(7, ask("new", 8));
    EXPECT_EQ(player.expect<codec::PathPart>(7).head->outcome, model::Outcome::kComplete)
        << "the name leads to the later map";
    EXPECT_EQ(refusal_to(player, 8, by_id), RefusalCode::kUnknownMap) << "the old id does not";
}

// If this failed, any player could take away the map under everybody's feet.
TEST_F(ServerMapsTest, OnlyAnAdminLoadsAndDrops) {
    net_config.access.tokens = {{net::digest_of("play"), Role::kPlayer, ""},
                                {net::digest_of("build"), Role::kBuilder, ""},
                                {net::digest_of("rule"), Role::kAdmin, ""}};
    start();
    for (const char* token : {"play", "build"}) {
        RawClient client(server->port());
        client.greet(token);
        client.send(2, from_file("new", "one.map"));
        const auto load = client.expect<model::Refusal>(2);
        EXPECT_EQ(load.code, RefusalCode::kPermissionDenied);
        EXPECT_EQ(load.field, "load_map");
        client.send(3, codec::DropMapRequest{map, ""});
        const auto drop = client.expect<model::Refusal>(3);
        EXPECT_EQ(drop.code, RefusalCode::kPermissionDenied);
        EXPECT_EQ(drop.field, "drop_map");
    }
    EXPECT_EQ(engine->maps().size(), 1U);
    RawClient admin(server->port());
    admin.greet("rule");
    admin.send(2, from_file("new", "one.map"));
    (void)admin.expect<codec::LoadMapReply>(2);
    admin.send(3, codec::DropMapRequest{map, ""});
    EXPECT_EQ(admin.expect<codec::DropMapReply>(3).map, map);
}

// If this failed, whoever has an admin's token could read files of the server's machine.
TEST_F(ServerMapsTest, AFileNameNeverLeavesTheDataDirectory) {
    start();
    RawClient admin(server->port());
    admin.greet();
    std::uint64_t id = 1;
    const std::string nul("one.map\0.png", 12);
    for (const std::string& name :
         {(root / "secret.map").string(), std::string("../secret.map"),
          std::string("sub/../../secret.map"), std::string("sub/../one.map"),
          std::string("out.map"), std::string("up/secret.map"), std::string("sub"),
          std::string("."), std::string("none.map"), std::string("/dev/zero"), nul,
          std::string("sub/two.map/"), std::string(5000, 'x')}) {
        admin.send(++id, from_file("new", name));
        const auto refused = admin.expect<model::Refusal>(id);
        EXPECT_EQ(refused.code, RefusalCode::kInvalidArgument) << name;
        EXPECT_EQ(refused.field, "load_map.file") << name;
        EXPECT_TRUE(name.starts_with('/') ||
                    refused.message.find(root.string()) == std::string::npos)
            << "it tells where the directory lies: " << refused.message;
    }
    EXPECT_EQ(engine->maps().size(), 1U);
    admin.send(++id, from_file("new", "in.map"));
    EXPECT_EQ(admin.expect<codec::LoadMapReply>(id).info.width, 12) << "a link within is followed";
}

// If this failed, a server that was given no directory would read from wherever it was started.
TEST_F(ServerMapsTest, WithoutADataDirectoryOnlyContentIsTaken) {
    options.data_dir.clear();
    start();
    RawClient admin(server->port());
    admin.greet();
    EXPECT_EQ(refusal_to(admin, 2, from_file("new", "CMakeLists.txt")),
              RefusalCode::kPermissionDenied);
    admin.send(3, codec::LoadMapRequest{"new", {}, field(7), false});
    EXPECT_EQ(admin.expect<codec::LoadMapReply>(3).info.height, 7);
    admin.send(4, codec::LoadMapRequest{"bad", {}, "no map at all", false});
    const auto bad = admin.expect<model::Refusal>(4);
    EXPECT_EQ(bad.code, RefusalCode::kInvalidArgument);
    EXPECT_EQ(bad.field, "load_map.content");
    admin.send(5, codec::LoadMapRequest{"bad", {}, {}, false});
    EXPECT_EQ(admin.expect<model::Refusal>(5).code, RefusalCode::kInvalidArgument);
    admin.send(6, codec::LoadMapRequest{"", {}, field(7), false});
    EXPECT_EQ(admin.expect<model::Refusal>(6).field, "load_map.name");
    admin.send(7, codec::LoadMapRequest{std::string(65, 'n'), {}, field(7), false});
    EXPECT_EQ(admin.expect<model::Refusal>(7).field, "load_map.name");
}

// If this failed, one large file would take more memory than the operator allows.
TEST_F(ServerMapsTest, AFileThatWouldNotFitTheMemoryIsNotRead) {
    write(data / "large.map", std::string(3'000'000, '.'));  // no map: reading it would say so
    engine_config.memory_max = 5'000'000;
    start();
    RawClient admin(server->port());
    admin.greet();
    const std::size_t before = engine->memory().bytes(engine::MemoryPart::kMaps);
    admin.send(2, from_file("new", "large.map"));
    const auto refused = admin.expect<model::Refusal>(2);
    EXPECT_EQ(refused.code, RefusalCode::kOverloaded);
    EXPECT_EQ(refused.field, "load_map.file");
    EXPECT_EQ(engine->memory().bytes(engine::MemoryPart::kMaps), before);
}

// If this failed, spectators of a map that is replaced would look at the old one for ever.
TEST_F(ServerMapsTest, WatchersAndFollowersHearOfAReplacement) {
    start();
    RawClient admin(server->port());
    RawClient player(server->port());
    admin.greet();
    player.greet();
    player.send(2, codec::MapStateRequest{map, true});
    EXPECT_TRUE(player.expect<codec::MapStatePart>(2).last);
    codec::PathRequest order = across();
    order.map = {};
    order.map_name = "drawn";
    order.follow.emplace();
    player.send(3, order);
    (void)player.expect<codec::PathPart>(3);
    admin.send(2, from_file("drawn", "one.map", true));
    const auto loaded = admin.expect<codec::LoadMapReply>(2);
    EXPECT_EQ(loaded.replaced, map);
    bool dropped = false;
    bool ended = false;
    for (int i = 0; i < 2; ++i) {
        const auto message = player.receive();
        ASSERT_TRUE(message.has_value());
        if (const auto* push = std::get_if<codec::PathPushPart>(&message->body)) {
            ended = message->id.value == 3 && push->head->refusal &&
                    push->head->refusal->code == RefusalCode::kUnknownMap &&
                    push->head->reason == model::PushReason::kEnded;
        } else if (const auto* gone = std::get_if<codec::MapDropped>(&message->body)) {
            dropped =
                message->id.value == 2 && gone->map == map && gone->replaced_by == loaded.info.id;
        }
    }
    EXPECT_TRUE(dropped);
    EXPECT_TRUE(ended);
    player.send(3, ask("drawn", 8));
    EXPECT_EQ(player.expect<codec::PathPart>(3).head->outcome, model::Outcome::kComplete)
        << "the name leads to the new map, and the follow's id is free";
    player.send(2, codec::MapStateRequest{loaded.info.id, true});
    EXPECT_EQ(player.expect<codec::MapStatePart>(2).info->width, 9);
}

// If this failed, a game that uses the client library could neither change its maps nor see it.
TEST_F(ServerMapsTest, TheClientLibraryLoadsDropsAndTellsWhoMirrorsAMap) {
    start();
    client::Options there;
    there.port = std::to_string(server->port());
    const auto client = client::Client::connect(there);
    ASSERT_TRUE(client.has_value()) << client.error().message;
    const auto loaded = (*client)->load_map(from_file("new", "one.map"));
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    const auto taken = (*client)->load_map(from_file("new", "one.map"));
    ASSERT_FALSE(taken.has_value());
    EXPECT_EQ(taken.error().refusal->field, "load_map.name");
    const auto mirror = client::MapMirror::start(**client, loaded->info.id);
    ASSERT_TRUE(mirror.has_value()) << mirror.error().message;
    EXPECT_FALSE((*mirror)->failure());
    const auto dropped = (*client)->drop_map({.map = {}, .map_name = "new"});
    ASSERT_TRUE(dropped.has_value()) << dropped.error().message;
    EXPECT_EQ(dropped->map, loaded->info.id);
    EXPECT_TRUE(eventually([&] { return (*mirror)->failure().has_value(); }));
    EXPECT_EQ((*mirror)->snapshot()->width(), 9) << "it stays where it was";
    EXPECT_EQ((*client)->list_maps()->maps.size(), 1U);
    EXPECT_EQ((*client)->counters().unexpected, 0U);
}

// If this failed, everybody would wait while a large map is read, or a drain would lose its reply.
TEST_F(ServerMapsTest, OthersAreAnsweredWhileAMapLoadsAndOnlySoManyWait) {
    std::latch reading(1);
    std::latch may_go_on(1);
    bool first = true;
    load_map = [&](const net::MapOrder& order) {
        if (std::exchange(first, false)) {
            reading.count_down();
            may_go_on.wait();
        }
        return app::MapFiles(*engine, options).load(order);
    };
    start();
    RawClient admin(server->port());
    RawClient player(server->port());
    admin.greet();
    player.greet();
    admin.send(2, from_file("new", "one.map"));
    reading.wait();
    player.send(2, across());
    EXPECT_TRUE(player.expect<codec::PathPart>(2).last);
    admin.send(3, codec::Ping{3});
    EXPECT_EQ(admin.expect<codec::Pong>(3).payload, 3U) << "nor does the asker wait";
    for (std::uint64_t i = 0; i < net::MapThread::kWaitingMax; ++i) {
        admin.send(100 + i, codec::DropMapRequest{{}, "none"});
    }
    EXPECT_EQ(refusal_to(admin, 99, codec::DropMapRequest{{}, "none"}), RefusalCode::kOverloaded);
    server->begin_drain();
    EXPECT_EQ(player.expect_goodbye().code, RefusalCode::kShuttingDown);
    may_go_on.count_down();
    EXPECT_EQ(admin.expect<codec::LoadMapReply>(2).info.width, 9);
    for (std::uint64_t i = 0; i < net::MapThread::kWaitingMax; ++i) {
        EXPECT_EQ(admin.expect<model::Refusal>(100 + i).code, RefusalCode::kUnknownMap);
    }
    EXPECT_EQ(admin.expect_goodbye().code, RefusalCode::kShuttingDown);
}

// If this failed, orders would be lost or answered twice while a map is taken away under load.
TEST_F(ServerMapsTest, FourClientsUnderLoadGetOneReplyEachWhileTheirMapGoes) {
    engine_config.workers = 2;
    start();
    write(data / "wide.map", field(200));
    RawClient admin(server->port());
    admin.greet();
    admin.send(2, from_file("wide", "wide.map"));
    (void)admin.expect<codec::LoadMapReply>(2);
    constexpr std::uint64_t kAsked = 300;
    std::vector<std::map<std::uint64_t, int>> replies(4);
    std::latch under_way(4);
    {
        std::vector<std::jthread> clients;
        for (auto& mine : replies) {
            clients.emplace_back([&, this] {
                RawClient client(server->port());
                client.greet();
                for (std::uint64_t id = 1; id <= kAsked; ++id) {
                    codec::PathRequest request = ask("wide", 199 - static_cast<int>(id % 50));
                    request.query.start = {static_cast<std::int32_t>(id % 90), 0};
                    request.query.algorithm = model::Algorithm::kDijkstra;
                    client.send(id + 1, request);
                    if (id == kAsked / 3) {
                        under_way.count_down();
                    }
                }
                for (std::uint64_t id = 1; id <= kAsked; ++id) {
                    const auto message = client.receive();
                    if (!message) {
                        return;
                    }
                    const auto* refused = std::get_if<model::Refusal>(&message->body);
                    EXPECT_TRUE(refused == nullptr || refused->code == RefusalCode::kUnknownMap);
                    ++mine[message->id.value];
                }
                EXPECT_FALSE(client.something_to_read(0)) << "more replies than questions";
            });
        }
        under_way.wait();
        admin.send(3, codec::DropMapRequest{{}, "wide"});
        (void)admin.expect<codec::DropMapReply>(3);
    }
    for (const auto& mine : replies) {
        EXPECT_EQ(mine.size(), kAsked);
        for (const auto& [id, times] : mine) {
            EXPECT_EQ(times, 1) << "request " << id;
        }
    }
}

}  // namespace
}  // namespace outrider::test
