#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/bursts.hpp"
#include "cli/path_report.hpp"
#include "cli/sample_evenly.hpp"
#include "cli/scen_report.hpp"
#include "load/report.hpp"
#include "outrider/model/path.hpp"

namespace outrider::cli {
namespace {

std::vector<std::string> keys_of(const std::string& text) {
    const auto json = nlohmann::ordered_json::parse(text);
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    return keys;
}

using Keys = std::vector<std::string>;

model::PathResult straight(std::int32_t cells) {
    model::PathResult result;
    result.outcome = result.reason = model::Outcome::kComplete;
    result.algorithm = model::Algorithm::kJps;
    result.turning_points = {{0, 0}, {cells, 0}};
    result.cost = static_cast<model::Cost>(cells) * model::kCostPerCell;
    result.path_hash = model::path_hash(result.turning_points);
    result.expansions = 3;
    return result;
}

TEST(Arguments, CellsAndTheirMistakes) {
    // If this failed, a typing slip would ask for another cell instead of an explanation.
    EXPECT_EQ(parse_cell("12,40"), (model::Cell{12, 40}));
    EXPECT_EQ(parse_cell("-1,0"), (model::Cell{-1, 0}));
    for (const char* text :
         {"", ",", "1", "1,", ",1", "1,2,3", "1;2", "a,b", "1, 2", "99999999999,0"}) {
        EXPECT_FALSE(parse_cell(text)) << text;
    }
}

TEST(Arguments, EndpointsAndTheirMistakes) {
    // If this failed, a wrong address would end in a puzzling network error.
    EXPECT_EQ(parse_endpoint("games.example:7600"), (Endpoint{"games.example", "7600"}));
    EXPECT_EQ(parse_endpoint("[::1]:1"), (Endpoint{"::1", "1"}));
    EXPECT_EQ(parse_endpoint(":65535"), (Endpoint{"127.0.0.1", "65535"}));
    for (const char* text : {"", "host", "host:", "host:0", "host:65536", "host:http", "host:-1"}) {
        EXPECT_FALSE(parse_endpoint(text)) << text;
    }
}

TEST(Arguments, WeightAtItsBounds) {
    // If this failed, a weight that the server refuses would travel there to be refused.
    EXPECT_FALSE(parse_weight(0.99));
    EXPECT_EQ(parse_weight(1.0), 100U);
    EXPECT_EQ(parse_weight(1.5), 150U);
    EXPECT_EQ(parse_weight(10.0), 1000U);
    EXPECT_FALSE(parse_weight(10.01));
}

TEST(Arguments, AlgorithmsByName) {
    // If this failed, a comparison of algorithms would compare one with itself.
    EXPECT_EQ(parse_algorithm("auto"), model::Algorithm::kAuto);
    EXPECT_EQ(parse_algorithm("dijkstra"), model::Algorithm::kDijkstra);
    EXPECT_EQ(parse_algorithm("astar"), model::Algorithm::kAstar);
    EXPECT_EQ(parse_algorithm("jps"), model::Algorithm::kJps);
    EXPECT_EQ(parse_algorithm("fast"), model::Algorithm::kFast);
    EXPECT_EQ(parse_algorithm("terrain"), model::Algorithm::kTerrain);
    EXPECT_FALSE(parse_algorithm("JPS+"));
}

TEST(Arguments, GradesByName) {
    // If this failed, a unit would be given the line that was meant for another kind of unit.
    EXPECT_EQ(parse_grade("none"), model::Grade::kNone);
    EXPECT_EQ(parse_grade("waypoints"), model::Grade::kWaypoints);
    EXPECT_EQ(parse_grade("corners"), model::Grade::kCorners);
    EXPECT_FALSE(parse_grade("smooth"));
}

TEST(PathReport, TellsOfTheSmoothPathWhereThereIsOne) {
    // If this failed, scripts would miss the line, or find an empty one where none was asked for.
    client::PathAnswer answer;
    answer.result = straight(5);
    EXPECT_FALSE(nlohmann::json::parse(json_of(answer, 1.0, false)).contains("smooth"));
    EXPECT_EQ(summary_of(answer, 1.0).find("smooth"), std::string::npos);
    answer.result.smooth = {{{128, 128}, {1408, 192}}, 1282, 40900, 0xAB};
    const auto json = nlohmann::json::parse(json_of(answer, 1.0, false)).at("smooth");
    EXPECT_EQ(json.at("points"), nlohmann::json::parse("[[0.5,0.5],[5.5,0.75]]"));
    EXPECT_DOUBLE_EQ(json.at("length_cells"), 1282 / 256.0);
    EXPECT_EQ(json.at("cost"), 40900);
    EXPECT_EQ(json.at("hash"), "00000000000000ab");
    EXPECT_NE(summary_of(answer, 1.0).find("smooth 5.01 cells in 1 lines"), std::string::npos);
}

TEST(ScenReport, JsonHasTheContractsKeys) {
    // If this failed, scripts that read the figures would break.
    ScenReport report;
    report.add({0, {0, 0}, {5, 0}, 5.0}, straight(5), 10.0, std::nullopt);
    EXPECT_EQ(keys_of(json_of(report)), (Keys{"queries", "mismatches", "unreachable", "mean_us",
                                              "p50_us", "p99_us", "expansions", "path_cells"}));
    report.patches.emplace();
    EXPECT_EQ(keys_of(json_of(report)),
              (Keys{"queries", "mismatches", "unreachable", "mean_us", "p50_us", "p99_us",
                    "expansions", "path_cells", "patches", "patch_mean_us", "patch_p99_us"}));
    EXPECT_EQ(json_of(report).find('\n'), std::string::npos);
}

TEST(ScenReport, CountsMismatches) {
    // If this failed, a search that is wrong would pass every scenario.
    const model::PathResult unreachable;
    ScenReport report;
    report.add({0, {0, 0}, {5, 0}, 5.0}, straight(5), 1.0, std::nullopt);
    report.add({0, {0, 0}, {5, 0}, 5.02}, straight(5), 1.0, std::nullopt);
    report.add({0, {0, 0}, {5, 0}, 0.0}, unreachable, 1.0, std::nullopt);
    report.add({0, {0, 0}, {5, 0}, -1.0}, unreachable, 1.0, std::nullopt);
    EXPECT_EQ(report.mismatches, 0U);
    report.add({0, {0, 0}, {5, 0}, 5.03}, straight(5), 1.0, std::nullopt);
    report.add({0, {0, 0}, {5, 0}, 0.0}, straight(5), 1.0, std::nullopt);
    report.add({0, {0, 0}, {5, 0}, 5.0}, unreachable, 1.0, std::nullopt);
    report.add({0, {0, 0}, {5, 0}, 5.0}, straight(5), 1.0, "it crosses a wall");
    EXPECT_EQ(report.mismatches, 4U);
    EXPECT_EQ(report.queries, 8U);
    EXPECT_EQ(report.unreachable, 3U);
    EXPECT_EQ(report.path_cells, 5U * 6U);
    EXPECT_NE(report.examples.back().find("it crosses a wall"), std::string::npos);
}

TEST(LoadReport, JsonHasTheContractsKeys) {
    // If this failed, scripts that read the figures would break.
    Keys keys{"sent",           "answered",       "refused",     "lost",         "duplicate",
              "wrong",          "requests_per_s", "p50_us",      "p99_us",       "p999_us",
              "max_us",         "edits",          "edit_p50_us", "edit_p99_us",  "pushes",
              "cache_hit_rate", "groups",         "group_paths", "group_p50_us", "group_p99_us",
              "arrived",        "arrived_beside", "wait_p50_us", "wait_p99_us",  "ordered_again",
              "edits_refused",  "edits_lost",     "map_dropped"};
    EXPECT_EQ(keys_of(load::json_of({})), keys);
    for (const char* key :
         {"path_pushes", "push_p50_us", "push_p99_us", "push_max_us", "arrivals", "reports"}) {
        keys.push_back(key);
    }
    EXPECT_EQ(keys_of(load::json_of({.follows = true})), keys);
}

TEST(LoadReport, LossDuplicatesAndWrongAnswersFailTheRun) {
    // If this failed, a broken server would pass its load test.
    EXPECT_TRUE(load::is_clean({.sent = 5, .answered = 3, .refused = 2}));
    EXPECT_FALSE(load::is_clean({.lost = 1}));
    EXPECT_FALSE(load::is_clean({.duplicate = 1}));
    EXPECT_FALSE(load::is_clean({.wrong = 1}));
    EXPECT_FALSE(load::is_clean({.edits_refused = 1}));
    EXPECT_FALSE(load::is_clean({.edits_lost = 1}));
    EXPECT_FALSE(load::is_clean({.map_dropped = true}));
}

TEST(LoadReport, ALateClientSaysSo) {
    // If this failed, the client's own slowness would be blamed on the server.
    EXPECT_EQ(load::warning_of({.slip_p99_us = 1999.0}), "");
    EXPECT_NE(load::warning_of({.slip_p99_us = 2000.0}), "");
}

TEST(PathReport, JsonIsOneObjectThatSaysWhetherTheUnitArrives) {
    // If this failed, a script could take a partial path for an arrival.
    client::PathAnswer answer{3, straight(5), {}};
    auto json = nlohmann::json::parse(json_of(answer, 0.5, false));
    EXPECT_EQ(json["arrived"], true);
    EXPECT_EQ(json["version"], 3);
    EXPECT_EQ(json["length_cells"], 5.0);
    EXPECT_EQ(json["turning_points"], nlohmann::json::parse("[[0,0],[5,0]]"));
    EXPECT_FALSE(json.contains("explored"));
    answer.result.outcome = model::Outcome::kPartial;
    answer.result.explored = {{{1, 0}, model::ExploredKind::kClosed, 1, 2}};
    json = nlohmann::json::parse(json_of(answer, 0.5, true));
    EXPECT_EQ(json["arrived"], false);
    EXPECT_EQ(json["outcome"], "PARTIAL");
    EXPECT_EQ(json["explored"].size(), 1U);
    EXPECT_NE(advice_for(answer), "");
}

TEST(Bursts, PatchesWithoutAQueryBetweenThemAreOneBatch) {
    // If this failed, the figures for edits would be those of another workload.
    client::DynamicScenario scenario{4, 4, "", {}, {{1, 1, {'@'}}, {2, 1, {'@', '.'}}}};
    const client::ScenarioQuery query{};
    scenario.commands = {client::PatchCommand{0, 0, {1, 1}}, client::PatchCommand{0, 1, {2, 3}},
                         query, query, client::PatchCommand{0, 1, {0, 0}}};
    const std::vector<Step> steps = steps_of(scenario);
    ASSERT_EQ(steps.size(), 4U);
    const auto& first = std::get<Burst>(steps[0]);
    EXPECT_EQ(first.patches, 2U);
    ASSERT_EQ(first.batches.size(), 1U);
    EXPECT_EQ(first.batches[0].edits[1], model::Edit(model::TerrainEdit{{2, 3, 2, 1}, {'@', '.'}}));
    EXPECT_EQ(std::get<Burst>(steps[3]).patches, 1U);
}

TEST(SampleEvenly, TakesExactlySoManyFromTheWhole) {
    // If this failed, a sampled scenario would test its first, easy queries only.
    const std::vector<int> items{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    EXPECT_EQ(sample_evenly(items, 0), items);
    EXPECT_EQ(sample_evenly(items, 10), items);
    EXPECT_EQ(sample_evenly(items, 11), items);
    EXPECT_EQ(sample_evenly(items, 9).size(), 9U);
    EXPECT_EQ(sample_evenly(items, 4), (std::vector<int>{0, 2, 5, 7}));
    EXPECT_EQ(sample_evenly(items, 1), (std::vector<int>{0}));
}

}  // namespace
}  // namespace outrider::cli
