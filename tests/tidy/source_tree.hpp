#pragma once
// What: the project's own files as the house rules see them: raw lines, lines of code without
//       comments and string literals, and includes.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace outrider::tidy {

struct Include {
    std::size_t line{};  // from 1
    std::string path;
    bool quoted{};
};

struct SourceFile {
    std::string path;  // from the project's root, with slashes
    std::vector<std::string> lines;
    // The same lines, comments and the inside of literals blanked; only for C++.
    std::vector<std::string> code;
    std::vector<Include> includes;

    [[nodiscard]] bool is_cpp() const;
    [[nodiscard]] bool is_header() const { return path.ends_with(".hpp"); }
    [[nodiscard]] bool under(std::string_view directory) const;
    // "map" for server/map/store.hpp; empty outside the rooms.
    [[nodiscard]] std::string room() const;
};

struct Tree {
    std::vector<SourceFile> files;  // by path

    [[nodiscard]] bool has(std::string_view path) const;
};

[[nodiscard]] SourceFile make_file(std::string path, std::string_view text);
[[nodiscard]] Tree make_tree(std::vector<SourceFile> files);
// Every text file of the project below `root`, build trees left out.
[[nodiscard]] Tree read_tree(const std::filesystem::path& root);

}  // namespace outrider::tidy
