#pragma once
// What:     what honest clients had beside a hostile crowd, as a table and as one JSON object.
// Contract: `faults` is empty where no honest client was dropped, refused or left without a reply,
//           and, if a bound for it is given, their 99th percentile did not rise beyond it.

#include <string>
#include <vector>

#include "hostile/crowd.hpp"
#include "load/report.hpp"

namespace outrider::hostile {

// What the honest had while somebody else was there.
struct Share {
    load::Report honest;
    double neighbour_cpu{};  // of a core
};

struct Report {
    std::uint64_t honest{};  // clients
    std::uint64_t hostile{};
    std::uint64_t hostile_seen{};  // were connected at least once
    load::Report alone;
    Share beside;             // the crowd
    Share busy;               // beside a process that does no harm, and is as busy as the crowd was
    std::uint64_t dropped{};  // honest clients whose connection the server closed
    Counts crowd{};
};

// Of the 99th percentiles: beside the crowd to alone, and to beside the harmless process. The
// second is what the server itself is to blame for.
[[nodiscard]] double ratio_of(const Report& report);
[[nodiscard]] double ratio_to_busy(const Report& report);
// `ratio_max` 0: latencies are not judged.
[[nodiscard]] std::vector<std::string> faults_of(const Report& report, double ratio_max);
[[nodiscard]] std::string json_of(const Report& report, const std::vector<std::string>& faults);
[[nodiscard]] std::string table_of(const Report& report, const std::vector<std::string>& faults);

}  // namespace outrider::hostile
