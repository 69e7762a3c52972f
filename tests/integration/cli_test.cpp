#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "integration/command_line.hpp"

namespace outrider {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using test::CommandLine;
using test::Finished;
using test::kRooms;
using test::outrider_cli;
using test::Program;
using test::run_program;

TEST_F(CommandLine, PathOverTheWire) {
    // If this failed, the first thing that a newcomer tries would not work.
    serve("rooms", file("rooms.map", kRooms));
    const Finished done =
        ask({"path", "--map", "rooms", "--from", "0,0", "--to", "11,0", "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const json answer = json::parse(done.out);
    EXPECT_EQ(answer["outcome"], "COMPLETE");
    EXPECT_EQ(answer["arrived"], true);
    EXPECT_EQ(answer["turning_points"].front(), json({0, 0}));
    EXPECT_EQ(answer["turning_points"].back(), json({11, 0}));
    EXPECT_NEAR(answer["length_cells"].get<double>(), 11 + 4 * (1.41421356 - 1), 1e-4);
}

TEST_F(CommandLine, AFirstLegIsToldAndShown) {
    // If this failed, nobody could see where a unit with a long path sets out.
    std::string field = "type octile\nheight 300\nwidth 300\nmap\n";
    for (int y = 0; y < 300; ++y) {
        field += std::string(300, '.') + "\n";
    }
    serve("field", file("field.map", field));
    const std::vector<std::string> far{"path", "--map",   "field",       "--from",   "0,0",
                                       "--to", "299,299", "--algorithm", "dijkstra", "--first-leg"};
    const auto with = [&](const std::string& more) {
        std::vector<std::string> words = far;
        words.push_back(more);
        return ask(std::move(words));
    };
    const json led = json::parse(with("--json").out);
    EXPECT_EQ(led["first_leg"]["turning_points"].front(), json({0, 0}));
    EXPECT_EQ(led["first_leg"]["binding"], false);
    EXPECT_LT(led["first_leg"]["cost"], led["cost"]);
    const json kept = json::parse(with("--json").out);
    EXPECT_FALSE(kept.contains("first_leg")) << "an answer that is at hand has none";
    EXPECT_EQ(kept["path_hash"], led["path_hash"]);
    const Finished drawn = ask({"path", "--map", "field", "--from", "0,1", "--to", "299,299",
                                "--algorithm", "dijkstra", "--first-leg", "--draw"});
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
    EXPECT_NE(drawn.out.find("FIRST LEG  length"), std::string::npos) << drawn.out;
    EXPECT_NE(drawn.out.find("1 first leg"), std::string::npos) << drawn.out;
}

TEST_F(CommandLine, DrawsThePathAndWhatTheSearchSaw) {
    // If this failed, nobody could see why a unit walks as it does.
    serve("rooms", file("rooms.map", kRooms));
    const Finished done = ask({"path", "--map", "rooms", "--from", "4,0", "--to", "6,0",
                               "--explain", "--algorithm", "astar"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NE(done.out.find("S#X"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("***"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("expanded"), std::string::npos) << done.out;
    EXPECT_NE(done.out.find("COMPLETE  length"), std::string::npos) << done.out;
    EXPECT_EQ(done.out.find('\x1b'), std::string::npos);
}

TEST_F(CommandLine, SmoothPathsAndParkedGroups) {
    // If this failed, the only way to see a smooth path or a parked army would be a program of
    // one's own.
    serve("rooms", file("rooms.map", kRooms));
    const std::vector<std::string> ways{"path", "--map", "rooms", "--from", "0,0", "--to", "8,5"};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> words = ways;
        words.insert(words.end(), more.begin(), more.end());
        return ask(std::move(words));
    };
    const json plain = json::parse(with({"--json"}).out);
    EXPECT_FALSE(plain.contains("smooth"));
    const json smooth = json::parse(with({"--json", "--smooth", "corners"}).out);
    EXPECT_EQ(smooth["path_hash"], plain["path_hash"]);
    EXPECT_EQ(smooth["smooth"]["points"].front(), json::parse("[0.5, 0.5]"));
    EXPECT_EQ(smooth["smooth"]["points"].back(), json::parse("[8.5, 5.5]"));
    EXPECT_LT(smooth["smooth"]["length_cells"], plain["length_cells"]);
    EXPECT_LE(smooth["smooth"]["cost"], plain["cost"]);
    EXPECT_NE(with({"--smooth", "waypoints", "--draw"}).out.find("w smooth path"),
              std::string::npos);
    EXPECT_EQ(with({"--smooth", "corners", "--clearance", "129"}).exit_code, 2);
    EXPECT_NE(with({"--smooth", "waypoints", "--clearance", "64"}).err.find("smoothing.clearance"),
              std::string::npos);

    for (const char* how : {"--own-ends", "--formation=box"}) {
        const Finished group = ask(
            {"group", "--map", "rooms", "--from-rect", "0,0,3,2", "--to", "8,2", how, "--json"});
        ASSERT_EQ(group.exit_code, 0) << group.err;
        const json answer = json::parse(group.out);
        std::set<json> ends;
        for (const json& unit : answer["units"]) {
            ends.insert(unit["turning_points"].back());
        }
        EXPECT_EQ(ends.size(), 6U) << how;
    }
}

TEST_F(CommandLine, SaysWhenThereIsNoWay) {
    // If this failed, a script would take "no way" for success.
    serve("rooms", file("rooms.map", kRooms));
    const std::vector<std::string> question{"path", "--map", "rooms", "--from",
                                            "0,0",  "--to",  "10,5",  "--json"};
    const Finished none = ask(question);
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_EQ(json::parse(none.out)["outcome"], "UNREACHABLE");
    EXPECT_NE(none.err.find("no way"), std::string::npos) << none.err;
    std::vector<std::string> partial = question;
    partial.push_back("--partial");
    const Finished near = ask(partial);
    EXPECT_EQ(near.exit_code, 0) << near.err;
    EXPECT_EQ(json::parse(near.out)["outcome"], "PARTIAL");
    EXPECT_EQ(json::parse(near.out)["arrived"], false);
}

TEST_F(CommandLine, RefusalsNameTheFieldAndMapsTheirNames) {
    // If this failed, a user would have to guess what is wrong.
    serve("rooms", file("rooms.map", kRooms));
    const Finished outside = ask({"path", "--map", "rooms", "--from", "0,0", "--to", "12,0"});
    EXPECT_EQ(outside.exit_code, 1);
    EXPECT_NE(outside.err.find("OUT_OF_BOUNDS"), std::string::npos) << outside.err;
    const Finished unknown = ask({"path", "--map", "moon", "--from", "0,0", "--to", "1,0"});
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_NE(unknown.err.find("rooms"), std::string::npos) << unknown.err;
}

TEST_F(CommandLine, WrongUsageIsTwoAndNoServerIsOne) {
    // If this failed, scripts could not tell a typing mistake from a dead server.
    EXPECT_EQ(outrider_cli({}).exit_code, 2);
    const Finished fly = outrider_cli({"fly"});
    EXPECT_EQ(fly.exit_code, 2);
    EXPECT_NE(fly.err.find("'fly' is no command"), std::string::npos) << fly.err;
    EXPECT_EQ(outrider_cli({"path", "--map", "m"}).exit_code, 2);
    EXPECT_EQ(outrider_cli({"path", "--map", "m", "--from", "1", "--to", "1,1"}).exit_code, 2);
    EXPECT_EQ(outrider_cli({"load", "--map", "m", "--rate", "-1"}).exit_code, 2);
    EXPECT_EQ(outrider_cli({"scen", "--map", "no.map", "--scen", "no.scen"}).exit_code, 2);
    EXPECT_EQ(outrider_cli({"--help"}).exit_code, 0);
    EXPECT_EQ(outrider_cli({"path", "--help"}).exit_code, 0);
    const Finished hostile = outrider_cli({"hostile", "--help"});
    EXPECT_EQ(hostile.exit_code, 0);
    EXPECT_NE(hostile.out.find("drip, garbage, oversized, deaf, hello_flood"), std::string::npos);
    EXPECT_EQ(hostile.out.find("->"), std::string::npos) << "numbers of enumerators";
    const Finished unkind = outrider_cli({"hostile", "--map", "m", "--kinds", "drip,polite"});
    EXPECT_EQ(unkind.exit_code, 2);
    EXPECT_NE(unkind.err.find("'polite'"), std::string::npos) << unkind.err;
    EXPECT_NE(unkind.err.find("hello_flood"), std::string::npos) << unkind.err;
    EXPECT_EQ(outrider_cli({"--version"}).out.substr(0, 9), "outrider ");
    const Finished nobody = outrider_cli(
        {"path", "--server", "127.0.0.1:1", "--map", "m", "--from", "0,0", "--to", "1,1"});
    EXPECT_EQ(nobody.exit_code, 1);
    EXPECT_NE(nobody.err.find("127.0.0.1:1"), std::string::npos) << nobody.err;
    EXPECT_EQ(nobody.out, "");
}

constexpr const char* kScenario =
    "version 1\n"
    "0\trooms.map\t12\t6\t0\t0\t11\t0\t12.65685425\n"
    "0\trooms.map\t12\t6\t0\t0\t0\t0\t0\n"
    "0\trooms.map\t12\t6\t0\t0\t10\t5\t0\n";

TEST_F(CommandLine, ScenarioInProcessAndThroughAServerAgree) {
    // If this failed, the server would answer otherwise than the library that it is built on.
    const std::string map = file("rooms.map", kRooms);
    const std::string scen = file("rooms.map.scen", kScenario);
    serve("rooms", map);
    for (const char* algorithm : {"auto", "dijkstra", "astar", "jps"}) {
        const std::vector<std::string> arguments{"scen", "--map",  map,           "--scen",
                                                 scen,   "--json", "--algorithm", algorithm};
        const Finished local = outrider_cli(arguments);
        const Finished remote = ask(arguments);
        ASSERT_EQ(local.exit_code, 0) << local.err;
        ASSERT_EQ(remote.exit_code, 0) << remote.err;
        const json here = json::parse(local.out);
        const json there = json::parse(remote.out);
        for (const char* key :
             {"queries", "mismatches", "unreachable", "expansions", "path_cells"}) {
            EXPECT_EQ(here[key], there[key]) << algorithm << " " << key;
        }
        EXPECT_EQ(here["queries"], 3);
        EXPECT_EQ(here["unreachable"], 1);
    }
    const std::string lie =
        file("lie.scen", std::string(kScenario) + "0\trooms.map\t12\t6\t0\t0\t1\t0\t2.0\n");
    EXPECT_EQ(outrider_cli({"scen", "--map", map, "--scen", lie}).exit_code, 1);
    EXPECT_EQ(outrider_cli({"scen", "--map", map, "--scen", map}).exit_code, 1);
    const Finished cut = outrider_cli({"scen", "--map", map, "--scen", file("cut", "version 1\n")});
    EXPECT_EQ(cut.exit_code, 1) << "what was not asked is not right";
    EXPECT_NE(cut.err.find("holds no query"), std::string::npos) << cut.err;
}

TEST_F(CommandLine, DynamicScenario) {
    // If this failed, edits and queries in turn would give stale answers (K4).
    file("d.patch",
         "type patch\npatches 2\n"
         "patch 0\nheight 3\nwidth 1\nmap\n@\n@\n@\n"
         "patch 1\nheight 1\nwidth 1\nmap\n.\n");
    const std::string scen = file("d.scen",
                                  "version 2\nheight 3\nwidth 3\ncost 1 octile\npatch d.patch\n"
                                  "commands\nQ 0 0 0 2 0 2\nP 0 0 1 0\nQ 0 0 0 2 0 -1\n"
                                  "P 0 1 1 1\nQ 0 0 1 2 1 2\n");
    const Finished done = outrider_cli({"dynamic", "--scen", scen, "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const json report = json::parse(done.out);
    EXPECT_EQ(report["queries"], 3);
    EXPECT_EQ(report["mismatches"], 0);
    EXPECT_EQ(report["unreachable"], 1);
    EXPECT_EQ(report["patches"], 2);
}

TEST_F(CommandLine, LoadWithEveryAnswerChecked) {
    // If this failed, no figure of a load test could be believed.
    serve("march", OUTRIDER_SOURCE_DIR "/client-sample/maps/march.map");
    const Finished done =
        ask({"load", "--map", "march", "--rate", "400", "--seconds", "2", "--units", "50",
             "--edits-per-second", "20", "--connections", "3", "--verify", "--json"});
    ASSERT_EQ(done.exit_code, 0) << done.err << done.out;
    EXPECT_NE(done.err.find("checking "), std::string::npos)
        << "else it seems to hang: " << done.err;
    const json report = json::parse(done.out);
    EXPECT_EQ(report["sent"], 800);
    EXPECT_EQ(report["answered"].get<int>() + report["refused"].get<int>(), 800);
    EXPECT_GT(report["answered"], 0);
    for (const char* key : {"lost", "duplicate", "wrong"}) {
        EXPECT_EQ(report[key], 0) << key;
    }
    EXPECT_EQ(report["edits"], 40);
    EXPECT_GE(report["pushes"], 40);
    EXPECT_GT(report["cache_hit_rate"], 0.0) << "orders are repeated";
    EXPECT_LT(report["cache_hit_rate"], 1.0);
}

TEST_F(CommandLine, ArmiesOnFootWithEveryAnswerChecked) {
    // If this failed, group answers under load would be unchecked, or units never get anywhere.
    serve("march", OUTRIDER_SOURCE_DIR "/client-sample/maps/march.map");
    for (const bool follow : {false, true}) {
        std::vector<std::string> arguments{"load", "--map",         "march", "--rate",
                                           "100",  "--seconds",     "4",     "--units",
                                           "120",  "--group-share", "0.2",   "--edits-per-second",
                                           "5",    "--speed",       "60",    "--seed",
                                           "3",    "--verify",      "--json"};
        if (follow) {
            arguments.push_back("--follow");
        }
        const Finished done = ask(arguments);
        ASSERT_EQ(done.exit_code, 0) << done.err << done.out;
        const json report = json::parse(done.out);
        EXPECT_EQ(report["sent"], 400) << "the schedule stands, whatever the units want";
        EXPECT_EQ(report["answered"].get<int>() + report["refused"].get<int>(), 400);
        for (const char* key : {"lost", "duplicate", "wrong"}) {
            EXPECT_EQ(report[key], 0) << key;
        }
        EXPECT_NEAR(report["groups"].get<double>(), 80.0, 40.0);
        EXPECT_GT(report["group_paths"], report["groups"]);
        EXPECT_GT(report["group_p99_us"], 0.0);
        EXPECT_GT(report["arrived"], 0);
        EXPECT_GE(report["arrived"], report["arrived_beside"]);
        EXPECT_GE(report["wait_p99_us"], report["wait_p50_us"]);
    }
    const Finished crowd = ask({"load", "--map", "march", "--units", "100000", "--json"});
    EXPECT_EQ(crowd.exit_code, 1);
    EXPECT_NE(crowd.err.find("--units"), std::string::npos) << crowd.err;
}

TEST_F(CommandLine, DemoInAPipeEndsWithEveryUnitThere) {
    // If this failed, the first command of the README would disappoint.
    serve("march", OUTRIDER_SOURCE_DIR "/client-sample/maps/march.map");
    const Finished done = ask({"demo", "--seconds", "1", "--units", "25"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_NE(done.out.find("25 of 25 units arrived"), std::string::npos) << done.out;
    EXPECT_EQ(done.out.find('\x1b'), std::string::npos);
    // The same march again, whatever the speed: the map was left as it was found.
    const Finished again = ask({"demo", "--seconds", "0.5", "--units", "25"});
    EXPECT_EQ(again.exit_code, 0);
    const auto replans = [](const std::string& text) {
        const std::size_t end = text.rfind(" new paths around ");
        const std::size_t begin = text.rfind(' ', end - 1);
        return text.substr(begin, text.find(" edits (", end) - begin);
    };
    EXPECT_EQ(replans(done.out), replans(again.out));
}

TEST_F(CommandLine, ServerThatStopsIsReportedNotHungOn) {
    // If this failed, a load test against a dying server would never end.
    serve("march", OUTRIDER_SOURCE_DIR "/client-sample/maps/march.map");
    Program load({OUTRIDER_CLI_PROGRAM, "load", "--server", server_, "--map", "march", "--rate",
                  "200", "--seconds", "3", "--json"});
    program_->signal(SIGKILL);
    const Finished done = load.finish(60s);
    EXPECT_EQ(done.exit_code, 1) << done.out;
}

TEST_F(CommandLine, NumbersThatAreNoneAreWrongUsage) {
    // If this failed, `nan` would pass every range and a huge deadline wrap round to a small one.
    const std::vector<std::string> path{"path", "--map", "rooms", "--from", "0,0", "--to", "1,1"};
    const std::vector<std::string> load{"load", "--map", "rooms"};
    const auto exit_code = [](std::vector<std::string> arguments, const char* name,
                              const char* value) {
        arguments.insert(arguments.end(), {name, value});
        return outrider_cli(arguments).exit_code;
    };
    EXPECT_EQ(exit_code(path, "--weight", "nan"), 2);
    EXPECT_EQ(exit_code(path, "--weight", "10.5"), 2);
    EXPECT_EQ(exit_code(path, "--deadline-ms", "3600001"), 2);
    EXPECT_EQ(exit_code(path, "--deadline-ms", "18446744073709552"), 2);
    for (const char* name : {"--rate", "--seconds", "--edits-per-second", "--group-share"}) {
        EXPECT_EQ(exit_code(load, name, "nan"), 2) << name;
    }
}

TEST_F(CommandLine, AnAnswerThatCannotBeWrittenIsAFailure) {
    // If this failed, a script would take an empty file on a full disk for an answer.
    const Finished done = run_program(
        {"/bin/sh", "-c", std::string(OUTRIDER_CLI_PROGRAM) + " --version > /dev/full"});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_NE(done.err.find("standard output"), std::string::npos) << done.err;
}

}  // namespace
}  // namespace outrider
