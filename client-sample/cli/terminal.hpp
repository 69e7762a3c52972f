#pragma once
// What:     what the place that a picture goes to can show.
// Contract: colour and block characters only on a terminal; NO_COLOR takes colour away; a pipe gets
//           plain ASCII, kFallbackColumns wide.
// Source:   no-color.org.

#include <string_view>

namespace outrider::cli {

// Width where nobody tells one: fits a mail, a log and an old terminal.
inline constexpr int kFallbackColumns = 100;
inline constexpr int kFallbackRows = 30;

struct Terminal {
    bool interactive{false};
    bool colour{false};
    bool unicode{false};
    int columns{kFallbackColumns};
    int rows{kFallbackRows};
};

// What the process finds out about a file descriptor, apart from what follows from it.
struct TerminalFacts {
    bool is_tty{false};
    int columns{0};
    int rows{0};
    std::string_view no_color;
    std::string_view term;
    std::string_view locale;
};

[[nodiscard]] Terminal terminal_of(const TerminalFacts& facts);
[[nodiscard]] Terminal detect_terminal(int file_descriptor);

}  // namespace outrider::cli
