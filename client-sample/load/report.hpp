#pragma once
// What:     the result of a load run, as a table and as one JSON object.
// Contract: the JSON has exactly the keys of DESIGN section 8, in that order, `cache_hit_rate`, and
//           those of a run that follows.

#include <cstdint>
#include <string>

namespace outrider::load {

struct Report {
    std::uint64_t sent{};
    std::uint64_t answered{};
    std::uint64_t refused{};
    std::uint64_t lost{};
    std::uint64_t duplicate{};
    std::uint64_t wrong{};
    double requests_per_s{};
    double p50_us{};
    double p99_us{};
    double p999_us{};
    double max_us{};
    std::uint64_t edits{};
    // From the moment when an edit was due to its acknowledgement.
    double edit_p50_us{};
    double edit_p99_us{};
    std::uint64_t pushes{};
    // Hits of the server's cache by the path requests that it looked up, over all clients.
    double cache_hit_rate{};

    // Only of a run that follows: new paths for units whose way an edit closed, and how long after
    // that edit was due they came.
    bool follows{false};
    std::uint64_t path_pushes{};
    double push_p50_us{};
    double push_p99_us{};
    double push_max_us{};
    // Units that walked to their goal, and the places that units reported.
    std::uint64_t arrivals{};
    std::uint64_t reports{};

    // For the table only.
    std::uint64_t other_paths{};  // see Findings
    std::uint64_t cache_hits{};
    std::uint64_t cache_carried{};
    std::uint64_t arrived{};
    std::uint64_t verified{};
    std::uint64_t unverified{};
    // How late the client itself was in sending: part of every latency above.
    double slip_p50_us{};
    double slip_p99_us{};
    double slip_max_us{};
    double client_cpu_share{};
    std::uint64_t writes{};
};

[[nodiscard]] bool is_clean(const Report& report);
[[nodiscard]] std::string json_of(const Report& report);
[[nodiscard]] std::string table_of(const Report& report);
// Whether the client's lateness spoils the figures: a warning, or nothing.
[[nodiscard]] std::string warning_of(const Report& report);

}  // namespace outrider::load
