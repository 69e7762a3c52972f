#pragma once
// What: one answer for people (a summary line) and for programs (one JSON object).

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "outrider/client/client.hpp"

namespace outrider::cli {

// "COMPLETE  length 279.70 cells, cost 2282345, 412 expansions, JPS, version 1, 0.84 ms"
[[nodiscard]] std::string summary_of(const client::PathAnswer& answer, double elapsed_ms);
// What the outcome means for whoever ordered the unit; empty when it arrives.
[[nodiscard]] std::string advice_for(const client::PathAnswer& answer);
// Where the path began, and when that was known.
struct TimedLeg {
    client::FirstLeg told;
    double elapsed_ms{};
};
// "FIRST LEG  length 34.20 cells to 40,18, version 1, 0.62 ms; the path may be another"
[[nodiscard]] std::string summary_of(const TimedLeg& leg);
[[nodiscard]] std::string json_of(const client::PathAnswer& answer, double elapsed_ms,
                                  bool with_explored, const std::optional<TimedLeg>& leg = {});

// As every report of the house spells them.
[[nodiscard]] nlohmann::ordered_json json_of_cells(std::span<const model::Cell> cells);
[[nodiscard]] std::string hash_text(std::uint64_t hash);

}  // namespace outrider::cli
