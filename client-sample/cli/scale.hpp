#pragma once
// What:     cutting a picture and shrinking it to the room there is.
// Contract: a shrunk pixel shows the strongest overlay of its cells, so that a path one cell wide
//           stays unbroken, and is kPartWall where a part of it is blocked, so that thin walls
//           stay visible. Shrinking by no whole number is fine. Never enlarges. A line is lost when
//           the picture shrinks.

#include "cli/picture.hpp"

namespace outrider::cli {

// `rect` is clipped to the picture; at least one pixel remains.
[[nodiscard]] Picture crop(const Picture& picture, const model::Rect& rect);
[[nodiscard]] Picture shrink(const Picture& picture, int width, int height);

struct Size {
    int width{1};
    int height{1};
    friend bool operator==(const Size&, const Size&) = default;
};

// The largest size of the picture's shape inside `columns` x `pixel_rows` (0: any height). A pixel
// is `aspect` times as tall as it is wide; the shape is kept where something must shrink.
[[nodiscard]] Size fitted_size(const Picture& picture, int columns, int pixel_rows, int aspect);

// The smallest rectangle around the cells, grown by `margin` cells on each side.
[[nodiscard]] model::Rect bounds_of(std::span<const model::Cell> cells, int margin);

}  // namespace outrider::cli
