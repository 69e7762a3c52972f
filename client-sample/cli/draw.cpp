#include "cli/draw.hpp"

#include <array>

#include "cli/palette.hpp"
#include "cli/scale.hpp"

namespace outrider::cli {
namespace {

constexpr std::string_view kReset = "\x1b[0m";
constexpr std::string_view kUpperHalf = "\xE2\x96\x80";

void append_colour(std::string& out, std::string_view kind, int colour) {
    out += "\x1b[";
    out += kind;
    out += ";5;";
    out += std::to_string(colour);
    out += 'm';
}

// Remembers the colours that the terminal holds, so that runs cost nothing.
class ColourState {
  public:
    explicit ColourState(std::string& out) : out_(out) {}

    void foreground(int colour) {
        if (foreground_ != colour) {
            append_colour(out_, "38", colour);
            foreground_ = colour;
        }
    }
    void background(int colour) {
        if (background_ != colour) {
            append_colour(out_, "48", colour);
            background_ = colour;
        }
    }
    void end_line() {
        out_ += kReset;
        out_ += '\n';
        foreground_ = background_ = -1;
    }

  private:
    std::string& out_;
    int foreground_{-1};
    int background_{-1};
};

void draw_plain(std::string& out, const Picture& picture) {
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            out += ink_of(picture.at(x, y)).plain;
        }
        out += '\n';
    }
}

void draw_colour_letters(std::string& out, const Picture& picture, bool unicode) {
    ColourState state(out);
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const Ink& ink = ink_of(picture.at(x, y));
            state.foreground(ink.colour);
            if (unicode && !ink.unicode.empty()) {
                out += ink.unicode;
            } else {
                out += ink.plain;
            }
        }
        state.end_line();
    }
}

void draw_half_blocks(std::string& out, const Picture& picture) {
    ColourState state(out);
    for (int y = 0; y < picture.height(); y += 2) {
        for (int x = 0; x < picture.width(); ++x) {
            state.foreground(ink_of(picture.at(x, y)).colour);
            if (y + 1 < picture.height()) {
                state.background(ink_of(picture.at(x, y + 1)).colour);
            }
            out += kUpperHalf;
        }
        state.end_line();
    }
}

void draw_wide_blocks(std::string& out, const Picture& picture) {
    ColourState state(out);
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            state.background(ink_of(picture.at(x, y)).colour);
            out += "  ";
        }
        state.end_line();
    }
}

void append_sign(std::string& out, const Ink& ink, bool colour) {
    if (colour) {
        append_colour(out, "48", ink.colour);
        out += "  ";
        out += kReset;
    } else {
        out += ink.plain;
    }
    out += ' ';
    out += ink.name;
}

}  // namespace

Style style_for(const Picture& picture, const Terminal& terminal) {
    if (!terminal.colour) {
        return Style::kPlain;
    }
    const bool fits_wide =
        2 * picture.width() <= terminal.columns && picture.height() + 4 <= terminal.rows;
    if (fits_wide) {
        return Style::kWideBlocks;
    }
    return terminal.unicode ? Style::kHalfBlocks : Style::kColourLetters;
}

std::string draw(const Picture& picture, Style style) {
    std::string out;
    switch (style) {
        case Style::kPlain: draw_plain(out, picture); break;
        case Style::kColourLetters: draw_colour_letters(out, picture, false); break;
        case Style::kColourSigns: draw_colour_letters(out, picture, true); break;
        case Style::kHalfBlocks: draw_half_blocks(out, picture); break;
        case Style::kWideBlocks: draw_wide_blocks(out, picture); break;
    }
    return out;
}

std::string draw_fitted(const Picture& picture, const Terminal& terminal, int rows_max) {
    const Style style = style_for(picture, terminal);
    if (style == Style::kWideBlocks && (rows_max == 0 || picture.height() <= rows_max)) {
        return draw(picture, style);
    }
    const bool halves = terminal.colour && terminal.unicode;
    const int pixel_rows = halves ? 2 * rows_max : rows_max;
    const Size size = fitted_size(picture, terminal.columns, pixel_rows, halves ? 1 : 2);
    const Picture small = shrink(picture, size.width, size.height);
    if (style == Style::kPlain) {
        return draw(small, style);
    }
    return draw(small, halves ? Style::kHalfBlocks : Style::kColourLetters);
}

std::string draw_signs(const Picture& picture, const Terminal& terminal) {
    const Size size = fitted_size(picture, terminal.columns, 0, 2);
    const Picture small = shrink(picture, size.width, size.height);
    if (!terminal.colour) {
        return draw(small, Style::kPlain);
    }
    return draw(small, terminal.unicode ? Style::kColourSigns : Style::kColourLetters);
}

std::string legend(const Picture& picture, bool colour) {
    std::array<bool, kOverlayCount> overlays{};
    std::array<bool, kGroundCount> grounds{};
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const Pixel& pixel = picture.at(x, y);
            overlays[static_cast<std::size_t>(pixel.overlay)] = true;
            for (int ground = 0; ground < kGroundCount; ++ground) {
                const bool seen = &ink_of(Pixel{pixel.ground, Overlay::kNone, pixel.blocked}) ==
                                  &ink_of(static_cast<Ground>(ground));
                grounds[static_cast<std::size_t>(ground)] |= seen;
            }
        }
    }
    std::string out;
    for (int index = kOverlayCount - 1; index > 0; --index) {
        if (overlays[static_cast<std::size_t>(index)]) {
            out += out.empty() ? "" : "   ";
            append_sign(out, ink_of(static_cast<Overlay>(index)), colour);
        }
    }
    for (int index = 0; index < kGroundCount; ++index) {
        if (grounds[static_cast<std::size_t>(index)]) {
            out += out.empty() ? "" : "   ";
            append_sign(out, ink_of(static_cast<Ground>(index)), colour);
        }
    }
    out += '\n';
    return out;
}

}  // namespace outrider::cli
