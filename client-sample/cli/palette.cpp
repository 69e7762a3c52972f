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
    {':', 143, "within reach"},
    {'@', 214, "edge of the reach"},
    {'^', 117, "north", "\xE2\x86\x91"},
    {'>', 150, "east", "\xE2\x86\x92"},
    {'v', 215, "south", "\xE2\x86\x93"},
    {'<', 182, "west", "\xE2\x86\x90"},
    {'/', 115, "north-east", "\xE2\x86\x97"},
    {'\\', 186, "south-east", "\xE2\x86\x98"},
    {'/', 217, "south-west", "\xE2\x86\x99"},
    {'\\', 147, "north-west", "\xE2\x86\x96"},
    {'*', 226, "path"},
    {'1', 229, "first leg"},
    {'w', 213, "smooth path"},
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
