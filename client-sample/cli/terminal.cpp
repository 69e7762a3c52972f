#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace outrider::cli {
namespace {

std::string_view environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view{} : std::string_view{value};
}

// The first of the three that is set decides, as in POSIX.
std::string_view locale_name() {
    for (const char* name : std::array{"LC_ALL", "LC_CTYPE", "LANG"}) {
        if (const std::string_view value = environment(name); !value.empty()) {
            return value;
        }
    }
    return {};
}

bool names_utf8(std::string_view locale) {
    return locale.find("UTF-8") != std::string_view::npos ||
           locale.find("utf8") != std::string_view::npos;
}

}  // namespace

Terminal terminal_of(const TerminalFacts& facts) {
    Terminal terminal;
    if (facts.columns > 0) {
        terminal.columns = facts.columns;
    }
    if (facts.rows > 0) {
        terminal.rows = facts.rows;
    }
    terminal.interactive = facts.is_tty && facts.term != "dumb";
    terminal.colour = terminal.interactive && facts.no_color.empty();
    terminal.unicode = terminal.interactive && names_utf8(facts.locale);
    return terminal;
}

Terminal detect_terminal(int file_descriptor) {
    TerminalFacts facts;
    facts.is_tty = isatty(file_descriptor) == 1;
    winsize size{};
    if (facts.is_tty && ioctl(file_descriptor, TIOCGWINSZ, &size) == 0) {
        facts.columns = size.ws_col;
        facts.rows = size.ws_row;
    }
    facts.no_color = environment("NO_COLOR");
    facts.term = environment("TERM");
    facts.locale = locale_name();
    return terminal_of(facts);
}

}  // namespace outrider::cli
