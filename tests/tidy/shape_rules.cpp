#include <algorithm>
#include <array>
#include <sstream>

#include "tidy/rules.hpp"

namespace outrider::tidy {
namespace {

// A reader holds one file in mind; beyond this it is two rooms under one name.
constexpr std::size_t kLinesMax = 400;
constexpr std::size_t kColumnsMax = 100;

bool has_line_limit(const SourceFile& file) {
    return file.is_cpp() || file.path.ends_with(".proto") || file.path.ends_with(".cmake") ||
           file.path.ends_with(".sh");
}

Findings check_sizes(const Tree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (has_line_limit(file) && file.lines.size() > kLinesMax) {
            findings.push_back({file.path, file.lines.size(), "file-size",
                                "over " + std::to_string(kLinesMax) + " lines: split it by idea"});
        }
    }
    return findings;
}

std::size_t columns_of(std::string_view line) {
    return static_cast<std::size_t>(std::ranges::count_if(
        line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

Findings check_columns(const Tree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const bool drawing =
                file.under("tests") && file.lines[i].find('"') != std::string::npos;
            if (has_line_limit(file) && !drawing && columns_of(file.lines[i]) > kColumnsMax) {
                findings.push_back({file.path, i + 1, "columns",
                                    "over " + std::to_string(kColumnsMax) + " columns"});
            }
        }
    }
    return findings;
}

Findings check_headers(const Tree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (!file.is_header()) {
            continue;
        }
        if (file.lines.empty() || file.lines[0] != "#pragma once") {
            findings.push_back({file.path, 1, "header", "begin with #pragma once"});
        } else if (file.lines.size() < 2 || !file.lines[1].starts_with("// What:")) {
            findings.push_back({file.path, 2, "header", "say in line 2: // What: ..."});
        }
        for (std::size_t i = 0; i < file.code.size(); ++i) {
            if (file.code[i].starts_with("using namespace")) {
                findings.push_back({file.path, i + 1, "header", "no using namespace in a header"});
            }
        }
    }
    return findings;
}

// True when a CMakeLists.txt names the source, by its path from there.
bool is_listed(const Tree& tree, const SourceFile& source) {
    constexpr std::string_view kList = "CMakeLists.txt";
    for (const SourceFile& list : tree.files) {
        if (!list.path.ends_with(kList)) {
            continue;
        }
        const std::string directory = list.path.substr(0, list.path.size() - kList.size());
        if (!source.path.starts_with(directory)) {
            continue;
        }
        const std::string wanted = source.path.substr(directory.size());
        for (const std::string& line : list.lines) {
            std::istringstream words(line);
            for (std::string word; words >> word;) {
                std::erase(word, ')');
                word.erase(0, word.find('(') == std::string::npos ? 0 : word.find('(') + 1);
                if (word == wanted) {
                    return true;
                }
            }
        }
    }
    return false;
}

Findings check_targets(const Tree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (file.path.ends_with(".cpp") && !is_listed(tree, file)) {
            findings.push_back(
                {file.path, 1, "target", "in no CMakeLists.txt: list it, or nobody compiles it"});
        }
    }
    return findings;
}

constexpr std::array kRules{
    Rule{"file-size", check_sizes},
    Rule{"columns", check_columns},
    Rule{"header", check_headers},
    Rule{"target", check_targets},
};

}  // namespace

std::span<const Rule> shape_rules() {
    return kRules;
}

Findings check_all(const Tree& tree) {
    Findings all;
    for (const auto rules : {include_rules(), text_rules(), shape_rules()}) {
        for (const Rule& rule : rules) {
            std::ranges::move(rule.check(tree), std::back_inserter(all));
        }
    }
    return all;
}

std::string format(const Finding& finding) {
    return finding.path + ":" + std::to_string(finding.line) + ": " + finding.rule + ": " +
           finding.message;
}

}  // namespace outrider::tidy
