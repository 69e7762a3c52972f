#include "outrider/model/obstacle_mask.hpp"

#include "outrider/base/check.hpp"

namespace outrider::model {

std::size_t mask_bytes(const Rect& rect) {
    return (static_cast<std::size_t>(rect.area()) + 7) / 8;
}

std::vector<std::uint8_t> mask_of(std::span<const std::string_view> rows) {
    const std::size_t width = rows.empty() ? 0 : rows.front().size();
    std::vector<std::uint8_t> mask((width * rows.size() + 7) / 8);
    std::size_t bit = 0;
    for (const std::string_view row : rows) {
        OUTRIDER_CHECK(row.size() == width);
        for (const char cell : row) {
            mask[bit / 8] =
                static_cast<std::uint8_t>(mask[bit / 8] | (cell == '#' ? 1U << (bit % 8) : 0U));
            ++bit;
        }
    }
    return mask;
}

bool covers(const PlaceObstacle& obstacle, Cell cell) {
    return obstacle.footprint.contains(cell) &&
           (obstacle.mask.empty() || detail::mask_bit(obstacle, cell.x, cell.y));
}

}  // namespace outrider::model
