#pragma once
// What:     scenarios of the MovingAI benchmarks, version 1: queries on one map, with the length of
//           the shortest path to each.
// Contract: strict: what is not a scenario gives one sentence with the line and the cure.
// Source:   movingai.com/benchmarks/formats.html (Sturtevant 2012).

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/base/result.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/query.hpp"

namespace outrider::client {

struct ScenarioQuery {
    std::uint32_t bucket{};
    model::Cell start;
    model::Cell goal;
    double length{};  // in cells; see unreachable()

    // Listed as such: a length of 0 between different cells, or below 0.
    [[nodiscard]] bool unreachable() const { return length < 0 || (length == 0 && start != goal); }
};

struct Scenario {
    std::string map;  // as written in the file; empty without a query
    std::int32_t width{};
    std::int32_t height{};
    std::vector<ScenarioQuery> queries;
};

[[nodiscard]] base::Result<Scenario> parse_scenario(std::string_view text, std::string_view origin);
[[nodiscard]] base::Result<Scenario> read_scenario_file(const std::filesystem::path& file);

// The answer is as long as listed, within 0.02 cells or 1e-5 of the length, whichever is larger
// (listed lengths are rounded); or both say that there is no way.
[[nodiscard]] bool agrees(const ScenarioQuery& query, const model::PathResult& result);

}  // namespace outrider::client
