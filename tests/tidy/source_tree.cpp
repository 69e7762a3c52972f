#include "tidy/source_tree.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <utility>

namespace outrider::tidy {
namespace {

// Blanks comments and the inside of literals, so that a word in prose is never taken for code.
class Blanker {
  public:
    explicit Blanker(std::string_view text) : text_(text) {}

    std::string run() {
        while (at_ < text_.size()) {
            if (next_is("//")) {
                blank_until("\n", 0);
            } else if (next_is("/*")) {
                blank_until("*/", 2);
            } else if (next_is("R\"")) {
                const std::size_t open = text_.find('(', at_);
                const std::string delimiter(text_.substr(at_ + 2, open - at_ - 2));
                blank_until(")" + delimiter + "\"", delimiter.size() + 2);
            } else if (text_[at_] == '"' || (text_[at_] == '\'' && !inside_number())) {
                blank_literal(text_[at_]);
            } else {
                out_ += text_[at_++];
            }
        }
        return std::move(out_);
    }

  private:
    [[nodiscard]] bool next_is(std::string_view token) const {
        return text_.substr(at_, token.size()) == token;
    }
    [[nodiscard]] bool inside_number() const {
        return at_ > 0 && std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0;
    }
    void blank_one() {
        out_ += text_[at_] == '\n' ? '\n' : ' ';
        ++at_;
    }
    void blank_until(std::string_view end, std::size_t end_size) {
        const std::size_t found = text_.find(end, at_ + 1);
        const std::size_t stop = found == std::string_view::npos ? text_.size() : found + end_size;
        while (at_ < stop) {
            blank_one();
        }
    }
    void blank_literal(char quote) {
        out_ += text_[at_++];
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                blank_one();
            }
            blank_one();
        }
        if (at_ < text_.size()) {
            out_ += text_[at_++];
        }
    }

    std::string_view text_;
    std::size_t at_{0};
    std::string out_;
};

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

void read_includes(SourceFile& file) {
    constexpr std::string_view kDirective = "#include ";
    for (std::size_t i = 0; i < file.code.size(); ++i) {
        const std::string& raw = file.lines[i];
        if (!file.code[i].starts_with(kDirective) || raw.size() <= kDirective.size()) {
            continue;
        }
        const bool quoted = raw[kDirective.size()] == '"';
        const std::size_t begin = kDirective.size() + 1;
        const std::size_t end = raw.find(quoted ? '"' : '>', begin);
        file.includes.push_back({i + 1, raw.substr(begin, end - begin), quoted});
    }
}

bool is_text(const std::filesystem::path& path) {
    constexpr std::array kExtensions{".cpp", ".hpp", ".proto", ".cmake", ".txt",
                                     ".md",  ".sh",  ".json",  ".yaml",  ".toml"};
    constexpr std::array kNames{"run", "Dockerfile", ".clang-tidy", ".clang-format"};
    const std::string extension = path.extension().string();
    const std::string name = path.filename().string();
    return std::ranges::find(kExtensions, extension) != kExtensions.end() ||
           std::ranges::find(kNames, name) != kNames.end();
}

bool is_foreign_directory(const std::string& name) {
    return name == "build" || name == "_deps" || (name.starts_with('.') && name != ".ci");
}

}  // namespace

bool SourceFile::is_cpp() const {
    return path.ends_with(".cpp") || path.ends_with(".hpp");
}

bool SourceFile::under(std::string_view directory) const {
    return path.size() > directory.size() && path.starts_with(directory) &&
           path[directory.size()] == '/';
}

std::string SourceFile::room() const {
    constexpr std::string_view kServer = "server/";
    const std::size_t end = path.find('/', kServer.size());
    if (!path.starts_with(kServer) || end == std::string::npos) {
        return {};
    }
    return path.substr(kServer.size(), end - kServer.size());
}

bool Tree::has(std::string_view path) const {
    return std::ranges::binary_search(
        files, path, {}, [](const SourceFile& file) { return std::string_view{file.path}; });
}

SourceFile make_file(std::string path, std::string_view text) {
    SourceFile file{std::move(path), lines_of(text), {}, {}};
    if (file.is_cpp()) {
        file.code = lines_of(Blanker(text).run());
        read_includes(file);
    }
    return file;
}

Tree make_tree(std::vector<SourceFile> files) {
    std::ranges::sort(files, {}, &SourceFile::path);
    return {std::move(files)};
}

Tree read_tree(const std::filesystem::path& root) {
    std::vector<SourceFile> files;
    std::filesystem::recursive_directory_iterator entry(root);
    for (; entry != std::filesystem::recursive_directory_iterator(); ++entry) {
        if (entry->is_directory() && is_foreign_directory(entry->path().filename().string())) {
            entry.disable_recursion_pending();
        } else if (entry->is_regular_file() && is_text(entry->path())) {
            std::ifstream in(entry->path(), std::ios::binary);
            const std::string text(std::istreambuf_iterator<char>(in), {});
            files.push_back(
                make_file(std::filesystem::relative(entry->path(), root).generic_string(), text));
        }
    }
    return make_tree(std::move(files));
}

}  // namespace outrider::tidy
