#pragma once
// What:     a text file as numbered lines and their words, for readers that must name the line that
//           is wrong.
// Contract: line ends LF or CR LF; words are parted by blanks and tabs. The text must outlive it.

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/base/result.hpp"

namespace outrider::client {

class TextLines {
  public:
    TextLines(std::string_view text, std::string_view origin) : rest_(text), origin_(origin) {}

    // The next line without its end; nothing at the end of the text.
    [[nodiscard]] std::optional<std::string_view> next();
    // The next line that is not blank, as words.
    [[nodiscard]] std::optional<std::vector<std::string_view>> next_words();
    // "origin:line: what".
    [[nodiscard]] std::unexpected<base::Error> fail(std::string_view what) const;

  private:
    std::string_view rest_;
    std::string origin_;
    std::size_t line_{0};
};

template <class Number>
[[nodiscard]] std::optional<Number> number_of(std::string_view word) {
    Number number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) {
        return std::nullopt;
    }
    return number;
}

[[nodiscard]] base::Result<std::string> read_text(const std::filesystem::path& file);

}  // namespace outrider::client
