#include "cli/scale.hpp"

#include <algorithm>
#include <array>

namespace outrider::cli {
namespace {

// What the cells of one shrunk pixel have in common.
Pixel blend(const Picture& picture, const model::Rect& block) {
    std::array<int, kGroundCount> counts{};
    int blocked = 0;
    Overlay overlay = Overlay::kNone;
    for (int y = block.y; y < block.end_y(); ++y) {
        for (int x = block.x; x < block.end_x(); ++x) {
            const Pixel& pixel = picture.at(x, y);
            ++counts[static_cast<std::size_t>(pixel.ground)];
            blocked += pixel.blocked ? 1 : 0;
            overlay = std::max(overlay, pixel.overlay);
        }
    }
    const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
    Pixel result{static_cast<Ground>(most), overlay, false};
    if (2 * blocked >= block.area()) {
        result.blocked = true;
    } else if (blocked > 0) {
        result.ground = counts[static_cast<std::size_t>(Ground::kBuilding)] > 0 ? Ground::kBuilding
                                                                                : Ground::kPartWall;
    }
    return result;
}

// Cells [first, last) of the source that pixel `index` of `count` covers.
std::pair<int, int> span_of(int index, int count, int source) {
    const int first = static_cast<int>(std::int64_t{index} * source / count);
    const int last = static_cast<int>(std::int64_t{index + 1} * source / count);
    return {first, std::max(last, first + 1)};
}

}  // namespace

Picture crop(const Picture& picture, const model::Rect& rect) {
    model::Rect part = model::intersect(rect, {0, 0, picture.width(), picture.height()});
    if (part.empty()) {
        part = {0, 0, 1, 1};
    }
    Picture result(part.width, part.height);
    for (int y = 0; y < part.height; ++y) {
        for (int x = 0; x < part.width; ++x) {
            result.at(x, y) = picture.at(part.x + x, part.y + y);
        }
    }
    std::vector<model::Point> line = picture.line();
    for (model::Point& point : line) {
        point.x -= part.x * model::kCellSide;
        point.y -= part.y * model::kCellSide;
    }
    result.set_line(std::move(line));
    return result;
}

Picture shrink(const Picture& picture, int width, int height) {
    width = std::clamp(width, 1, picture.width());
    height = std::clamp(height, 1, picture.height());
    if (width == picture.width() && height == picture.height()) {
        return picture;
    }
    Picture result(width, height);
    for (int y = 0; y < height; ++y) {
        const auto [y0, y1] = span_of(y, height, picture.height());
        for (int x = 0; x < width; ++x) {
            const auto [x0, x1] = span_of(x, width, picture.width());
            result.at(x, y) = blend(picture, {x0, y0, x1 - x0, y1 - y0});
        }
    }
    return result;
}

Size fitted_size(const Picture& picture, int columns, int pixel_rows, int aspect) {
    double shrink_by = std::max(1.0, static_cast<double>(picture.width()) / std::max(1, columns));
    if (pixel_rows > 0) {
        const double by_height =
            static_cast<double>(picture.height()) / (static_cast<double>(pixel_rows) * aspect);
        shrink_by = std::max(shrink_by, by_height);
    }
    if (shrink_by <= 1.0 && (pixel_rows == 0 || picture.height() <= pixel_rows)) {
        return {picture.width(), picture.height()};
    }
    Size size;
    size.width = std::max(1, static_cast<int>(picture.width() / shrink_by));
    size.height = std::max(1, static_cast<int>(picture.height() / (shrink_by * aspect)));
    if (pixel_rows > 0) {
        size.height = std::min(size.height, pixel_rows);
    }
    return size;
}

model::Rect bounds_of(std::span<const model::Cell> cells, int margin) {
    if (cells.empty()) {
        return {0, 0, 0, 0};
    }
    model::Cell low = cells.front();
    model::Cell high = cells.front();
    for (const model::Cell cell : cells) {
        low = {std::min(low.x, cell.x), std::min(low.y, cell.y)};
        high = {std::max(high.x, cell.x), std::max(high.y, cell.y)};
    }
    return {low.x - margin, low.y - margin, high.x - low.x + 1 + 2 * margin,
            high.y - low.y + 1 + 2 * margin};
}

}  // namespace outrider::cli
