#include "files/text_lines.hpp"

#include <fstream>
#include <iterator>

namespace outrider::client {
namespace {

// The largest public scenario is below 1 MB, the largest patch file below 20 MB.
constexpr std::uintmax_t kFileBytesMax = std::uintmax_t{1} << 28U;

}  // namespace

std::optional<std::string_view> TextLines::next() {
    if (rest_.empty()) {
        return std::nullopt;
    }
    ++line_;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

std::optional<std::vector<std::string_view>> TextLines::next_words() {
    while (const auto line = next()) {
        std::vector<std::string_view> words;
        constexpr std::string_view kBlank = " \t";
        std::size_t at = line->find_first_not_of(kBlank);
        while (at != std::string_view::npos) {
            const std::size_t end = line->find_first_of(kBlank, at);
            words.push_back(line->substr(at, end - at));
            at = line->find_first_not_of(kBlank, end);
        }
        if (!words.empty()) {
            return words;
        }
    }
    return std::nullopt;
}

std::unexpected<base::Error> TextLines::fail(std::string_view what) const {
    return base::fail(origin_ + ":" + std::to_string(line_) + ": " + std::string(what));
}

base::Result<std::string> read_text(const std::filesystem::path& file) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    if (error) {
        return base::fail("cannot read " + file.string() + ": " + error.message() +
                          "; check the path");
    }
    if (bytes > kFileBytesMax) {
        return base::fail(file.string() + " is larger than any scenario; check the path");
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) {
        return base::fail("cannot read " + file.string() + "; check its permissions");
    }
    return text;
}

}  // namespace outrider::client
