#include "cli/palette.hpp"

#include <array>

namespace outrider::cli {
namespace {

// Order of Ground. Muted, so that path and units stand out.
constexpr std::array<Ink, kGroundCount> kGrounds{{
    {'.', 65, "open"},
    {'=', 137, "road"},
    {',', 101, "rough"},
    {';', 58, "swamp"},
    {'~', 24, "water"},
    {'%', 22, "trees"},
    {'#', 240, "blocked"},
    {'+', 238, "partly blocked"},
    {'B', 94, "building"},
}};

// Order of Overlay; the first is never drawn.
constexpr std::array<Ink, kOverlayCount> kOverlays{{
    {' ', 0, ""},
    {'-', 109, "seen"},
    {'x', 67, "expanded"},
    {'j', 176, "jump point"},
    {'*', 226, "path"},
    {'o', 231, "unit"},
    {'!', 208, "unit without a way"},
    {'X', 196, "goal"},
    {'S', 51, "start"},
}};

}  // namespace

const Ink& ink_of(Ground ground) {
    return kGrounds[static_cast<std::size_t>(ground)];
}

const Ink& ink_of(Overlay overlay) {
    return kOverlays[static_cast<std::size_t>(overlay)];
}

const Ink& ink_of(const Pixel& pixel) {
    if (pixel.overlay != Overlay::kNone) {
        return ink_of(pixel.overlay);
    }
    // Blocked plain ground is a wall to this class, whatever the letter in the file.
    if (pixel.blocked && (pixel.ground == Ground::kOpen || pixel.ground == Ground::kRoad ||
                          pixel.ground == Ground::kPartWall)) {
        return ink_of(Ground::kWall);
    }
    return ink_of(pixel.ground);
}

}  // namespace outrider::cli
