// Any bytes as a recording, read and replayed: a report or a message, never a crash.

#include <cstddef>
#include <cstdint>
#include <sstream>

#include "outrider/base/check.hpp"
#include "record/replay.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace outrider;
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    const auto report = record::replay(in, "fuzz.rec", {});
    if (!report) {
        OUTRIDER_CHECK(!report.error().message.empty());
        return 0;
    }
    std::uint64_t seen = report->compared;
    for (const std::uint64_t skipped : report->skipped) {
        seen += skipped;
    }
    OUTRIDER_CHECK(seen == report->requests && report->mismatches <= report->compared);
    return 0;
}
