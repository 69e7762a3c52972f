#pragma once
// What:     what a scenario run found, as a table and as one JSON object.
// Contract: the keys of the JSON and their order are fixed, for scripts. Counts are those of one
//           pass; times those of the fastest pass (least mean).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/samples.hpp"
#include "files/scenario_file.hpp"
#include "outrider/model/query.hpp"

namespace outrider::cli {

struct PatchReport {
    std::uint64_t patches{};
    std::uint64_t batches{};
    // Of one patch: its batch's time shared evenly among the batch's patches.
    Samples patch_us;
};

struct ScenReport {
    std::uint64_t queries{};
    std::uint64_t mismatches{};
    std::uint64_t unreachable{};
    std::uint64_t expansions{};
    std::uint64_t path_cells{};
    Samples query_us;
    std::optional<PatchReport> patches;
    std::vector<std::string> examples;  // of mismatches

    // Counts one answer. `fault` says what is wrong with its path as such, if anything is.
    void add(const client::ScenarioQuery& query, const model::PathResult& result, double elapsed_us,
             const std::optional<std::string>& fault);
};

[[nodiscard]] std::string json_of(const ScenReport& report);
[[nodiscard]] std::string table_of(const ScenReport& report);

}  // namespace outrider::cli
