#pragma once
// What:     the result of a soak, as a table and as one JSON object on one line.
// Contract: `passed` only where nothing was lost, doubled or wrong, nothing failed and no trend was
//           seen; `faults` says what it was.

#include <string>
#include <vector>

#include "load/report.hpp"
#include "soak/side_traffic.hpp"
#include "soak/trend.hpp"

namespace outrider::soak {

struct Report {
    double seconds{};
    std::uint64_t rounds{};
    load::Report orders;  // the sums of the rounds
    SideCounts side;
    std::uint64_t slow_readers{};  // connections that did not read
    std::optional<Sample> before;
    std::optional<Sample> after;
    Trends trends;
    std::vector<std::string> faults;  // those of the trends are among them
};

// Adds what can be added: counts, not latencies.
void add_round(const load::Report& round, load::Report& sum);
// What is wrong besides the trends.
[[nodiscard]] std::vector<std::string> faults_of(const load::Report& orders,
                                                 const SideCounts& side);
[[nodiscard]] bool passed(const Report& report);
[[nodiscard]] std::string json_of(const Report& report);
[[nodiscard]] std::string table_of(const Report& report);

}  // namespace outrider::soak
