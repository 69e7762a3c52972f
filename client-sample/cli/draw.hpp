#pragma once
// What:     a picture as text: letters for a pipe, coloured half blocks (two pixels a character)
//           on a terminal that has them, coloured letters on one that has not.
// Cost:     one pass; colour codes only where the colour changes.

#include <string>

#include "cli/picture.hpp"
#include "cli/terminal.hpp"

namespace outrider::cli {

enum class Style : std::uint8_t { kPlain, kColourLetters, kColourSigns, kHalfBlocks, kWideBlocks };

// Wide blocks (two columns a cell) where the whole picture fits so, else half blocks.
[[nodiscard]] Style style_for(const Picture& picture, const Terminal& terminal);
// Lines end in a newline; every coloured line ends in a reset.
[[nodiscard]] std::string draw(const Picture& picture, Style style);
// Shrinks to the terminal's width first. `rows_max` text lines at most; 0: any number.
[[nodiscard]] std::string draw_fitted(const Picture& picture, const Terminal& terminal,
                                      int rows_max);
// The same with a sign a cell and no blocks: for arrows.
[[nodiscard]] std::string draw_signs(const Picture& picture, const Terminal& terminal);
// One line: each kind of pixel that the picture holds, with its sign.
[[nodiscard]] std::string legend(const Picture& picture, bool colour);

}  // namespace outrider::cli
