#pragma once
// What:     answers the requests of a recording again, each on the map's version that its reply
//           named, and compares.
// Contract: outcome, cost and hash of the path must be the recorded ones, and the version not older
//           than the newest that was announced before the request passed (law 2). What has no one
//           right answer is counted by its reason and not compared: see Skip. With another
//           algorithm than the recorded one, equally good paths are equal: see ReplayOptions.
//           Takes any bytes whatever; a file that is no sound recording gives an error that names
//           the record. A torn last record is left out and told.
// Threads:  one.
//           Where the server had landmarks, which a recording does not hold and which decide
//           between equally good paths, another path of the same cost is counted, and no mismatch.
// Cost:     two readings of the file and a search a request. Memory: the map, one record, and 24
//           bytes a request, hence less than the file has.

#include <array>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/base/result.hpp"
#include "outrider/model/query.hpp"

namespace outrider::record {

enum class Skip : std::uint8_t {
    kBudget,     // depends on the server's cap
    kDeadline,   // on time
    kCancelled,  // on other requests, as the next
    kSuperseded,
    kRefused,         // on load, or the request was wrong as such
    kUnanswered,      // the connection ended before the reply
    kUnknownVersion,  // the file has no such version: the recorder was killed before it came
};
inline constexpr std::size_t kSkipCount = 7;
// As JSON spells it: "unknown_version".
[[nodiscard]] std::string_view name_of(Skip skip);

struct ReplayOptions {
    // Answers with this kernel, not with the one that was asked for. Then outcomes must be the same
    // and costs within the bounds that both answers state; hashes are not compared.
    std::optional<model::Algorithm> algorithm;
    // So many mismatches are described.
    std::size_t examples_max{20};
};

struct ReplayReport {
    std::string map_name;
    std::uint64_t requests{};
    std::uint64_t compared{};
    std::uint64_t mismatches{};
    // Of those compared: of the recorded cost and not the recorded path, where landmarks decide.
    std::uint64_t other_paths{};
    std::array<std::uint64_t, kSkipCount> skipped{};
    // That the file has, the first included.
    std::uint64_t versions{};
    // Processor time of the answers that were compared.
    double total_us{};
    std::vector<std::string> examples;
    // Of a last record that was cut off.
    std::uint64_t torn_bytes{};
    // The recorder was stopped in good order, and left out so many requests.
    std::optional<std::uint64_t> unrecorded;

    [[nodiscard]] double mean_us() const {
        return compared == 0 ? 0 : total_us / static_cast<double>(compared);
    }
};

// `in` must be seekable.
[[nodiscard]] base::Result<ReplayReport> replay(std::istream& in, const std::string& name,
                                                const ReplayOptions& options);

}  // namespace outrider::record
