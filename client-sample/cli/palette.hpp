#pragma once
// What: how each kind of pixel looks: a letter for plain text, a colour of the 256 of xterm, a name
//       for the legend. One table, so that all pictures speak one language.

#include <cstdint>
#include <string_view>

#include "cli/picture.hpp"

namespace outrider::cli {

struct Ink {
    char plain{' '};
    std::uint8_t colour{};
    std::string_view name;
    // What stands for `plain` where the terminal has it; empty: nothing else.
    std::string_view unicode{};
};

[[nodiscard]] const Ink& ink_of(Ground ground);
[[nodiscard]] const Ink& ink_of(Overlay overlay);
// What one sees of a pixel: its overlay, else its ground, walls before other blocked ground.
[[nodiscard]] const Ink& ink_of(const Pixel& pixel);

}  // namespace outrider::cli
