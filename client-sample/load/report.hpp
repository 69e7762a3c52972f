#pragma once
// What:     the result of a load run, as a table and as one JSON object.
// Contract: the keys of the JSON and their order are fixed, for scripts; those of a run that
//           follows come last. Shares are 0 .. 1, times in microseconds.

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

    // Group requests, and the units' paths that came by them. Latencies are of whole groups.
    std::uint64_t groups{};
    std::uint64_t group_paths{};
    double group_p50_us{};
    double group_p99_us{};

    // Units that walked to their goal, or beside it where it was taken, and how long each stood on
    // its way, for its path or for others.
    std::uint64_t arrived{};
    std::uint64_t arrived_beside{};
    double wait_p50_us{};
    double wait_p99_us{};
    // Orders given again, to units that could not go on.
    std::uint64_t ordered_again{};

    // Edits besides `edits`, which are those that were applied.
    std::uint64_t edits_refused{};
    std::uint64_t edits_lost{};
    // Which ended the run.
    bool map_dropped{false};

    // Only of a run that follows: new paths for units whose way an edit closed, and how long after
    // that edit was due they came.
    bool follows{false};
    std::uint64_t path_pushes{};
    double push_p50_us{};
    double push_p99_us{};
    double push_max_us{};
    // Units that the server saw arrive, and the places that units reported.
    std::uint64_t arrivals{};
    std::uint64_t reports{};

    // For the table only.
    std::uint64_t other_paths{};  // see Findings
    std::uint64_t cache_hits{};
    std::uint64_t cache_carried{};
    std::uint64_t complete{};
    std::uint64_t verified{};
    std::uint64_t unverified{};
    // How late the client itself was in sending: part of every latency above.
    double slip_p50_us{};
    double slip_p99_us{};
    double slip_max_us{};
    double client_cpu_share{};
    std::uint64_t writes{};
};

// Refused requests are what an overloaded server should do; refused edits leave another map than
// the one that was to be measured.
[[nodiscard]] bool is_clean(const Report& report);
[[nodiscard]] std::string json_of(const Report& report);
[[nodiscard]] std::string table_of(const Report& report);
// What spoils the figures: the client's own lateness, a map that went. Nothing else.
[[nodiscard]] std::string warning_of(const Report& report);

}  // namespace outrider::load
