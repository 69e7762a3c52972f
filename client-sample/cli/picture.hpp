#pragma once
// What:     a map as something to look at: a ground and at most one overlay a pixel, and lines
//           above them, which only a PNG has the room to show.
// Contract: an overlay never hides a stronger one (start and goal over units over the path over
//           what the search looked at). Overlays outside the picture are ignored.

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/movement_class.hpp"
#include "outrider/model/query.hpp"
#include "outrider/model/survey.hpp"

namespace outrider::cli {

enum class Ground : std::uint8_t {
    kOpen,
    kRoad,
    kRough,
    kSwamp,
    kWater,
    kTrees,
    kWall,
    kPartWall,  // a shrunk pixel of which a part is blocked
    kBuilding,
};
inline constexpr int kGroundCount = 9;

// In ascending strength.
enum class Overlay : std::uint8_t {
    kNone,
    kOpened,
    kClosed,
    kJumpPoint,
    kReach,
    kContour,
    // Steps of a field, in the order of model::FieldStep.
    kNorth,
    kEast,
    kSouth,
    kWest,
    kNorthEast,
    kSouthEast,
    kSouthWest,
    kNorthWest,
    kPath,
    kFirstLeg,
    kSmooth,
    kUnit,
    kStuckUnit,
    kGoal,
    kStart,
};
inline constexpr int kOverlayCount = 21;

[[nodiscard]] constexpr bool is_arrow(Overlay overlay) {
    return overlay >= Overlay::kNorth && overlay <= Overlay::kNorthWest;
}

struct Pixel {
    Ground ground{Ground::kOpen};
    Overlay overlay{Overlay::kNone};
    // The movement class cannot stand here, whatever the ground looks like.
    bool blocked{false};
    friend bool operator==(const Pixel&, const Pixel&) = default;
};

class Picture {
  public:
    Picture(int width, int height);

    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] Pixel& at(int x, int y);
    [[nodiscard]] const Pixel& at(int x, int y) const;

    void lay(model::Cell cell, Overlay overlay);

    // From one to the next, in sub-cells of the picture's cells.
    [[nodiscard]] const std::vector<model::Point>& line() const { return line_; }
    void set_line(std::vector<model::Point> points) { line_ = std::move(points); }

  private:
    int width_;
    int height_;
    std::vector<Pixel> pixels_;
    std::vector<model::Point> line_;
};

// How a terrain byte of a map file looks; the letters stand in the README's table.
[[nodiscard]] Ground ground_of(model::Terrain terrain);

void lay_cells(Picture& picture, std::span<const model::Cell> cells, Overlay overlay);
// The cells that the lines run over, and the lines.
void lay_smooth(Picture& picture, std::span<const model::Point> points);
void lay_explored(Picture& picture, std::span<const model::Explored> explored);
// The cells of a reach; kContour where open ground beside them costs more.
void lay_reach(Picture& picture, const model::Reach& reach);
void lay_field(Picture& picture, const model::FieldArrows& field);

}  // namespace outrider::cli
