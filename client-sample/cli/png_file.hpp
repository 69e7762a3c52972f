#pragma once
// What:     a picture as a PNG file, in the colours of the terminal.
// Contract: a cell is a square of pixels_per_cell() pixels a side; steps of a field are drawn as
//           arrows where there is room, as their colour else; a line as a line, dark, above all. A
//           file that cannot be written gives an error that says why.
// Cost:     a byte a pixel, at most as many as kPngSideMax squared or as the picture has cells.

#include <array>
#include <cstdint>
#include <string>

#include "cli/picture.hpp"
#include "outrider/base/result.hpp"

namespace outrider::cli {

// Small maps are enlarged up to about this many pixels a side: fits a screen and a README.
inline constexpr int kPngSideMax = 1280;
inline constexpr int kPixelsPerCellMax = 16;

[[nodiscard]] int pixels_per_cell(const Picture& picture);

// Red, green and blue of a colour of xterm's 256.
[[nodiscard]] std::array<std::uint8_t, 3> rgb_of(std::uint8_t colour);

[[nodiscard]] base::Result<void> write_png(const Picture& picture, const std::string& path);

}  // namespace outrider::cli
