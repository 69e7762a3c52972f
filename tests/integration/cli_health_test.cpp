// What scripts and health checks hear from the command `outrider`.

#include "integration/command_line.hpp"
#include "outrider/client/client.hpp"

namespace outrider {
namespace {

using test::CommandLine;
using test::Finished;
using test::kRooms;

TEST_F(CommandLine, PingTellsALiveServerFromADeadOne) {
    // If this failed, a container's health check would restart live servers or keep dead ones.
    serve("rooms", file("rooms.map", kRooms));
    const Finished alive = ask({"ping"});
    EXPECT_EQ(alive.exit_code, 0) << alive.err;
    EXPECT_NE(alive.out.find("1 map"), std::string::npos) << alive.out;
    server_ = "127.0.0.1:1";
    const Finished dead = ask({"ping"});
    EXPECT_EQ(dead.exit_code, 1);
    EXPECT_NE(dead.err, "");
    EXPECT_EQ(ask({"ping", "--alive"}).exit_code, 1);
}

TEST_F(CommandLine, AFullServerIsAlive) {
    // If this failed, a container's health check would restart the servers that are used the most.
    serve("rooms", file("rooms.map", kRooms), {"--connections-max", "1"});
    const std::string port = server_.substr(server_.rfind(':') + 1);
    client::Options taken;
    taken.port = port;
    const auto seat = client::Client::connect(taken);
    ASSERT_TRUE(seat) << seat.error().message;
    const Finished full = ask({"ping"});
    EXPECT_EQ(full.exit_code, 1);
    EXPECT_NE(full.err.find("OVERLOADED"), std::string::npos) << full.err;
    const Finished alive = ask({"ping", "--alive"});
    EXPECT_EQ(alive.exit_code, 0) << alive.err;
    EXPECT_NE(alive.out.find("refuses: "), std::string::npos) << alive.out;
}

TEST_F(CommandLine, NumbersBelowZeroAreNone) {
    // If this failed, -1 would be taken for the largest id there is, and a unit walk through what
    // has it.
    serve("rooms", file("rooms.map", kRooms));
    for (const char* id : {"-1", "18446744073709551616", "1.5", ""}) {
        const Finished done = ask(
            {"path", "--map", "rooms", "--from", "0,0", "--to", "1,0", "--ignore-obstacle", id});
        EXPECT_EQ(done.exit_code, 2) << id << done.out;
        EXPECT_NE(done.err.find("--ignore-obstacle"), std::string::npos) << done.err;
    }
    EXPECT_EQ(ask({"path", "--map", "rooms", "--from", "0,0", "--to", "1,0", "--ignore-obstacle",
                   "18446744073709551615"})
                  .exit_code,
              0);
}

}  // namespace
}  // namespace outrider
