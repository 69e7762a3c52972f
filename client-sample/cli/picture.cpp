#include "cli/picture.hpp"

#include <algorithm>
#include <cstdlib>

#include "outrider/base/check.hpp"

namespace outrider::cli {

Picture::Picture(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

Pixel& Picture::at(int x, int y) {
    OUTRIDER_DCHECK(x >= 0 && y >= 0 && x < width_ && y < height_);
    return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(x)];
}

const Pixel& Picture::at(int x, int y) const {
    OUTRIDER_DCHECK(x >= 0 && y >= 0 && x < width_ && y < height_);
    return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(x)];
}

void Picture::lay(model::Cell cell, Overlay overlay) {
    if (cell.x < 0 || cell.y < 0 || cell.x >= width_ || cell.y >= height_) {
        return;
    }
    Pixel& pixel = at(cell.x, cell.y);
    pixel.overlay = std::max(pixel.overlay, overlay);
}

Ground ground_of(model::Terrain terrain) {
    switch (terrain) {
        case '@':
        case 'A':
        case 'O': return Ground::kWall;
        case 'T':
        case 'K': return Ground::kTrees;
        case 'W':
        case 'B':
        case 'C':
        case 'D': return Ground::kWater;
        case 'S':
        case 'E': return Ground::kSwamp;
        case 'H': return Ground::kRoad;
        case 'I':
        case 'J':
        case 'M':
        case 'N':
        case 'P': return Ground::kRough;
        default: return Ground::kOpen;
    }
}

void lay_cells(Picture& picture, std::span<const model::Cell> cells, Overlay overlay) {
    for (const model::Cell cell : cells) {
        picture.lay(cell, overlay);
    }
}

void lay_smooth(Picture& picture, std::span<const model::Point> points) {
    // So close that no cell is passed by of which more than a corner is met.
    constexpr std::int64_t kStride = model::kCellSide / 8;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const model::Point to = points[i];
        const model::Point from = i == 0 ? to : points[i - 1];
        const std::int64_t dx = std::int64_t{to.x} - from.x;
        const std::int64_t dy = std::int64_t{to.y} - from.y;
        const std::int64_t strides = std::max(std::abs(dx), std::abs(dy)) / kStride + 1;
        for (std::int64_t at = 0; at <= strides; ++at) {
            const model::Point point{static_cast<std::int32_t>(from.x + dx * at / strides),
                                     static_cast<std::int32_t>(from.y + dy * at / strides)};
            picture.lay(model::cell_of(point), Overlay::kSmooth);
        }
    }
    picture.set_line({points.begin(), points.end()});
}

void lay_explored(Picture& picture, std::span<const model::Explored> explored) {
    for (const model::Explored& item : explored) {
        switch (item.kind) {
            case model::ExploredKind::kOpened: picture.lay(item.cell, Overlay::kOpened); break;
            case model::ExploredKind::kClosed: picture.lay(item.cell, Overlay::kClosed); break;
            case model::ExploredKind::kJumpPoint:
                picture.lay(item.cell, Overlay::kJumpPoint);
                break;
        }
    }
}

void lay_reach(Picture& picture, const model::Reach& reach) {
    for (const model::Run& run : reach.runs) {
        for (std::int32_t i = 0; i < run.length; ++i) {
            picture.lay({run.x + i, run.y}, Overlay::kReach);
        }
    }
    const auto costs_more = [&picture](std::int32_t x, std::int32_t y) {
        return x >= 0 && y >= 0 && x < picture.width() && y < picture.height() &&
               !picture.at(x, y).blocked && picture.at(x, y).overlay < Overlay::kReach;
    };
    for (const model::Run& run : reach.runs) {
        for (std::int32_t x = run.x; x < run.x + run.length; ++x) {
            if (costs_more(x - 1, run.y) || costs_more(x + 1, run.y) || costs_more(x, run.y - 1) ||
                costs_more(x, run.y + 1)) {
                picture.lay({x, run.y}, Overlay::kContour);
            }
        }
    }
}

void lay_field(Picture& picture, const model::FieldArrows& field) {
    std::size_t cell = 0;
    for (std::int32_t y = 0; y < field.rect.height; ++y) {
        for (std::int32_t x = 0; x < field.rect.width; ++x, ++cell) {
            const model::FieldStep step = field.step(cell);
            const model::Cell at{field.rect.x + x, field.rect.y + y};
            if (step <= model::FieldStep::kLastMove) {
                picture.lay(at, static_cast<Overlay>(static_cast<int>(Overlay::kNorth) +
                                                     static_cast<int>(step)));
            } else if (step == model::FieldStep::kAtGoal) {
                picture.lay(at, Overlay::kGoal);
            }
        }
    }
}

}  // namespace outrider::cli
