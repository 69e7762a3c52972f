#pragma once
// What: what one kind of unit may cross, and at what cost.

#include <array>
#include <cstdint>
#include <string>

namespace outrider::model {

enum class Directions : std::uint8_t { kFour = 4, kEight = 8 };

// How many of the two straight neighbours a diagonal step needs open.
enum class CornerRule : std::uint8_t {
    kBothOpen,  // the default, and the rule of the public benchmarks
    kOneOpen,
    kNoneOpen,  // lets a unit squeeze between two blocked corners
};

// Terrain class = the byte that stands for the cell in a map file.
using Terrain = std::uint8_t;

// What a map has precomputed for a class to search quicker. It decides which of several paths of
// the same cost is found.
enum class LandmarkState : std::uint8_t {
    kNone,     // and gets none
    kPending,  // none yet
    kReady,
};

struct MovementClass {
    std::string name;
    // Tenths of the cost of plain ground by terrain class: 6 = a road at 0.6, 10 = 1.0, 0 =
    // blocked.
    std::array<std::uint8_t, 256> weights{};
    Directions directions{Directions::kEight};
    CornerRule corner_rule{CornerRule::kBothOpen};
    // The unit covers footprint x footprint cells, anchored at its top left cell. It may stand on
    // an anchor when every covered cell is open; the anchor then weighs as much as its dearest
    // cell.
    std::uint8_t footprint{1};
    // 1 .. kTeamMax: passes gates that let this team through; 0: passes none.
    std::uint8_t team{0};

    friend bool operator==(const MovementClass&, const MovementClass&) = default;
};

// "ground": the class of the public benchmarks: `.`, `G` and `S` cost 1.0, all else is blocked.
[[nodiscard]] MovementClass ground_class();
// "terrain": for maps of terrain letters `A` .. `P` (see the table in the README).
[[nodiscard]] MovementClass terrain_class();

}  // namespace outrider::model
