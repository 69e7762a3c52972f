// Any bytes as a map file: a grid that formats to the same map, or a message; never a crash, and no
// more memory than the text is long.

#include "outrider/base/check.hpp"
#include "outrider/map/map_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto grid = outrider::map::parse_map(text, "fuzz.map");
    if (!grid) {
        OUTRIDER_CHECK(grid.error().message.starts_with("fuzz.map:"));
        return 0;
    }
    OUTRIDER_CHECK(grid->terrain.capacity() <= size);
    const auto again = outrider::map::parse_map(outrider::map::format_map(*grid), "again.map");
    OUTRIDER_CHECK(again && again->terrain == grid->terrain && again->width == grid->width);
    return 0;
}
