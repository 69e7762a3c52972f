#include "outrider/map/map_file.hpp"

#include <charconv>
#include <fstream>
#include <optional>

#include "outrider/base/limits.hpp"

namespace outrider::map {
namespace {

namespace limits = base::limits;

constexpr std::string_view kCellBytes = ".@TSWABCDEFGHIJKLMNOP";

class Parser {
  public:
    Parser(std::string_view text, std::string_view origin) : rest_(text), origin_(origin) {}

    base::Result<Grid> parse() {
        if (auto header = parse_header(); !header) {
            return std::unexpected(header.error());
        }
        return parse_rows();
    }

  private:
    using Status = base::Result<void>;

    std::optional<std::string_view> next_line() {
        if (rest_.empty()) {
            return std::nullopt;
        }
        ++line_number_;
        const std::size_t end = rest_.find('\n');
        std::string_view line = rest_.substr(0, end);
        rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        return line;
    }

    [[nodiscard]] std::unexpected<base::Error> fail_at(std::size_t column,
                                                       const std::string& what) const {
        return base::fail(std::string(origin_) + ":" + std::to_string(line_number_) + ":" +
                          std::to_string(column) + ": " + what);
    }

    Status parse_header() {
        while (const auto line = next_line()) {
            if (*line == "map") {
                return check_header();
            }
            if (auto status = parse_header_line(*line); !status) {
                return status;
            }
        }
        ++line_number_;
        return fail_at(1,
                       "the text ends before the line `map`; write `type octile`, `height H`, "
                       "`width W`, `map`, then one line a row");
    }

    Status check_header() {
        if (!has_type_) {
            return fail_at(1, "no line `type octile` before `map`; add it");
        }
        if (!height_ || !width_) {
            return fail_at(1, std::string("no line `") + (height_ ? "width W" : "height H") +
                                  "` before `map`; add it");
        }
        return {};
    }

    Status parse_header_line(std::string_view line) {
        const std::size_t space = line.find(' ');
        const std::string_view key = line.substr(0, space);
        const std::string_view value =
            space == std::string_view::npos ? std::string_view{} : line.substr(space + 1);
        if (key == "type") {
            has_type_ = value == "octile";
            return has_type_ ? Status{}
                             : fail_at(6,
                                       "only maps of type `octile` can be read; write `type "
                                       "octile`");
        }
        if (key == "height") {
            return parse_side(value, 8, height_);
        }
        if (key == "width") {
            return parse_side(value, 7, width_);
        }
        return fail_at(1, "expected `type`, `height`, `width` or `map`; remove or mend this line");
    }

    Status parse_side(std::string_view value, std::size_t column,
                      std::optional<std::int32_t>& side) {
        if (side) {
            return fail_at(1, "this side is given twice; keep one line");
        }
        std::int32_t number{};
        const auto [end, error] =
            std::from_chars(value.data(), value.data() + value.size(), number);
        if (error != std::errc{} || end != value.data() + value.size() || number < 1 ||
            number > limits::kMapSideMax) {
            return fail_at(column, "a side must be a whole number from 1 to " +
                                       std::to_string(limits::kMapSideMax));
        }
        side = number;
        return {};
    }

    base::Result<Grid> parse_rows() {
        Grid grid{*width_, *height_, {}};
        const auto width = static_cast<std::size_t>(grid.width);
        // A short text that promises a huge map must not make room for it.
        grid.terrain.reserve(std::min(width * static_cast<std::size_t>(grid.height), rest_.size()));
        for (std::int32_t y = 0; y < grid.height; ++y) {
            const auto line = next_line();
            if (!line) {
                ++line_number_;
                return fail_at(1, "the text ends after " + std::to_string(y) + " of " +
                                      std::to_string(grid.height) +
                                      " rows; add the missing rows or lower `height`");
            }
            if (auto status = check_row(*line, width); !status) {
                return std::unexpected(status.error());
            }
            grid.terrain.insert(grid.terrain.end(), line->begin(), line->end());
        }
        while (const auto line = next_line()) {
            if (!line->empty()) {
                return fail_at(1, "text after the last of " + std::to_string(grid.height) +
                                      " rows; remove it or raise `height`");
            }
        }
        return grid;
    }

    [[nodiscard]] Status check_row(std::string_view line, std::size_t width) const {
        const std::size_t bad = line.substr(0, width).find_first_not_of(kCellBytes);
        if (bad != std::string_view::npos) {
            return fail_at(bad + 1, "byte " +
                                        std::to_string(static_cast<unsigned char>(line[bad])) +
                                        " is no cell; use `.` `@` `T` `S` `W` or `A` to `P`");
        }
        if (line.size() != width) {
            return fail_at(std::min(line.size(), width) + 1,
                           "the row has " + std::to_string(line.size()) + " cells, `width` says " +
                               std::to_string(width) + "; mend the row or the width");
        }
        return {};
    }

    std::string_view rest_;
    std::string_view origin_;
    std::size_t line_number_{0};
    bool has_type_{false};
    std::optional<std::int32_t> height_;
    std::optional<std::int32_t> width_;
};

}  // namespace

base::Result<Grid> parse_map(std::string_view text, std::string_view origin) {
    return Parser(text, origin).parse();
}

base::Result<Grid> read_map_file(const std::filesystem::path& file) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file, error);
    if (error) {
        return base::fail(file.string() + ": " + error.message() +
                          "; give the path of a readable .map file");
    }
    if (bytes > limits::kMapFileBytesMax) {
        return base::fail(file.string() + ": larger than " +
                          std::to_string(limits::kMapFileBytesMax) +
                          " bytes; this is not a map file, or split the map");
    }
    std::string text(bytes, '\0');
    std::ifstream stream(file, std::ios::binary);
    if (!stream.read(text.data(), static_cast<std::streamsize>(text.size()))) {
        return base::fail(file.string() + ": cannot be read; check its permissions");
    }
    return parse_map(text, file.string());
}

std::string format_map(const Grid& grid) {
    std::string text = "type octile\nheight " + std::to_string(grid.height) + "\nwidth " +
                       std::to_string(grid.width) + "\nmap\n";
    const auto width = static_cast<std::size_t>(grid.width);
    text.reserve(text.size() + grid.terrain.size() + static_cast<std::size_t>(grid.height));
    for (std::size_t start = 0; start + width <= grid.terrain.size(); start += width) {
        text.append(grid.terrain.begin() + static_cast<std::ptrdiff_t>(start),
                    grid.terrain.begin() + static_cast<std::ptrdiff_t>(start + width));
        text += '\n';
    }
    return text;
}

}  // namespace outrider::map
