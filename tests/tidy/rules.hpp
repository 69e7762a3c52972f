#pragma once
// What:     the house rules that no compiler checks, each a pure function over the tree.
// Contract: a finding names file, line and rule, and its message says how to mend it. A rule that
//           is added here gets fixtures in rules_test.cpp: one text that it must find and one that
//           it must leave alone.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidy/source_tree.hpp"

namespace outrider::tidy {

struct Finding {
    std::string path;
    std::size_t line{};
    std::string rule;
    std::string message;
};

using Findings = std::vector<Finding>;

struct Rule {
    std::string_view name;
    Findings (*check)(const Tree& tree);
};

// Who may include what.
[[nodiscard]] std::span<const Rule> include_rules();
// What may stand in a file.
[[nodiscard]] std::span<const Rule> text_rules();
// How files hang together: headers, targets, sizes.
[[nodiscard]] std::span<const Rule> shape_rules();

[[nodiscard]] Findings check_all(const Tree& tree);
[[nodiscard]] std::string format(const Finding& finding);

}  // namespace outrider::tidy
