#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tidy/rules.hpp"

namespace outrider::tidy {
namespace {

// A reader holds one file in mind; beyond this it is two rooms under one name.
constexpr std::size_t kLinesMax = 400;
constexpr std::size_t kColumnsMax = 100;

bool has_line_limit(const SourceFile& file) {
    return file.is_cpp() || file.path.ends_with(".proto") || file.path.ends_with(".cmake") ||
           file.path.ends_with(".sh") || file.path.ends_with("CMakeLists.txt");
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

// The first line of the opening comment that neither begins a paragraph ("// Cost:") nor is
// indented below one: what a formatter leaves of a line that was too long. 0: there is none.
std::size_t torn_line(const SourceFile& file) {
    static const std::regex sound("//( [A-Z][a-z]+:.*|  .*|)");
    for (std::size_t i = 1; i < file.lines.size() && file.lines[i].starts_with("//"); ++i) {
        if (!std::regex_match(file.lines[i], sound)) {
            return i + 1;
        }
    }
    return 0;
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
        } else if (const std::size_t torn = torn_line(file); torn != 0) {
            findings.push_back({file.path, torn, "header", "torn line: wrap the paragraph anew"});
        }
        for (std::size_t i = 0; i < file.code.size(); ++i) {
            if (file.code[i].starts_with("using namespace")) {
                findings.push_back({file.path, i + 1, "header", "no using namespace in a header"});
            }
        }
    }
    return findings;
}

// Every source that some CMakeLists.txt names, by its path from the project's root.
std::set<std::string> listed_sources(const Tree& tree) {
    constexpr std::string_view kList = "CMakeLists.txt";
    std::set<std::string> listed;
    for (const SourceFile& list : tree.files) {
        if (!list.path.ends_with(kList)) {
            continue;
        }
        const std::filesystem::path directory = std::filesystem::path(list.path).parent_path();
        for (std::string line : list.lines) {
            std::ranges::replace_if(line, [](char c) { return c == '(' || c == ')'; }, ' ');
            std::istringstream words(line);
            for (std::string word; words >> word;) {
                listed.insert((directory / word).lexically_normal().generic_string());
            }
        }
    }
    return listed;
}

Findings check_targets(const Tree& tree) {
    const std::set<std::string> listed = listed_sources(tree);
    Findings findings;
    for (const SourceFile& file : tree.files) {
        if (file.path.ends_with(".cpp") && !listed.contains(file.path)) {
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
