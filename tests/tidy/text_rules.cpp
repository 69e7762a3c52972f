#include <algorithm>
#include <array>
#include <cctype>

#include "tidy/rules.hpp"

namespace outrider::tidy {
namespace {

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// `word` stands in `line` with no letter, digit or underscore beside it.
bool has_word(std::string_view line, std::string_view word) {
    for (std::size_t at = line.find(word); at != std::string_view::npos;
         at = line.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool free_before =
            at == 0 || !is_word_character(line[at - 1]) || !is_word_character(word.front());
        const bool free_after =
            end == line.size() || !is_word_character(line[end]) || !is_word_character(word.back());
        if (free_before && free_after) {
            return true;
        }
    }
    return false;
}

// Words of code that may not stand in these directories.
struct Ban {
    std::string_view rule;
    std::vector<std::string_view> words;
    std::vector<std::string_view> where;
    std::vector<std::string_view> except;  // paths and directories
    std::string_view cure;
};

const std::vector<Ban>& bans() {
    static const std::vector<Ban> kBans{
        {"clock",
         {"steady_clock::now", "system_clock::now", "high_resolution_clock", "clock_gettime",
          "gettimeofday"},
         {"server"},
         {"server/base/clock.hpp"},
         "take a base::Clock; only base/clock.hpp reads one"},
        {"search-is-timeless",
         {"Clock", "TimePoint", "chrono"},
         {"server/search", "server/model/path.hpp"},
         {},
         "a search sees no time: budget it in expansions (law 4)"},
        {"search-is-integer",
         {"float", "double"},
         {"server/search"},
         {},
         "costs are integers, or answers would differ between processors (law 4)"},
        {"sleep",
         {"sleep_for", "sleep_until", "usleep", "nanosleep", "system_clock"},
         {"tests", "server"},
         {"tests/support"},
         "poll with a limit by a helper of tests/support (tests), wait on a condition or a timer "
         "(server)"},
        {"atomic-shared-ptr",
         {"atomic<std::shared_ptr", "atomic_load(&", "atomic<shared_ptr"},
         {"server", "client-sample", "tests"},
         {},
         "the thread sanitizer sees a race in libstdc++ 12's: guard the pointer by a mutex"},
        {"coroutine",
         {"co_await", "co_return", "co_yield"},
         {"server", "client-sample"},
         {"server/net", "client-sample"},
         "coroutines live in net alone"},
        {"thread-local",
         {"thread_local"},
         {"server", "client-sample"},
         {},
         "give the worker or the session a member"},
        {"detach",
         {".detach("},
         {"server", "client-sample", "tests"},
         {},
         "join every thread that was started"},
        {"assert",
         {"assert("},
         {"server", "client-sample"},
         {},
         "OUTRIDER_CHECK for our own bug, a refusal for data from outside"},
        {"random",
         {"random_device", "rand(", "srand("},
         {"server", "tests"},
         {"tests/support"},
         "tests take tests/support/random.hpp, so that a seed replays them"},
    };
    return kBans;
}

bool lies_in(const SourceFile& file, std::string_view place) {
    return file.path == place || file.under(place);
}

bool applies(const Ban& ban, const SourceFile& file) {
    const auto here = [&](std::string_view place) { return lies_in(file, place); };
    return file.is_cpp() && std::ranges::any_of(ban.where, here) &&
           std::ranges::none_of(ban.except, here);
}

Findings check_bans(const Tree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (const Ban& ban : bans()) {
            if (!applies(ban, file)) {
                continue;
            }
            for (std::size_t i = 0; i < file.code.size(); ++i) {
                for (const std::string_view word : ban.words) {
                    if (has_word(file.code[i], word)) {
                        findings.push_back({file.path, i + 1, std::string(ban.rule),
                                            std::string(word) + ": " + std::string(ban.cure)});
                    }
                }
            }
        }
    }
    return findings;
}

// Text of any file, prose included. Needles are spelt in halves, lest this file be found.
Findings check_prose(const Tree& tree) {
    struct Needle {
        std::string text;
        std::string_view rule;
        std::string_view cure;
    };
    const std::array<Needle, 5> needles{{
        {"/wor"
         "k/",
         "foreign-path", "no absolute path of one machine"},
        {".lib"
         "rary",
         "foreign-path", "the project stands on its own"},
        {"TO"
         "DO",
         "todo", "do it, or open an issue"},
        {"FIX"
         "ME",
         "todo", "mend it, or open an issue"},
        {"NOLINT"
         "BEGIN",
         "nolint", "silence one line with its reason, never a block"},
    }};
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            for (const Needle& needle : needles) {
                if (has_word(file.lines[i], needle.text)) {
                    findings.push_back({file.path, i + 1, std::string(needle.rule),
                                        needle.text + ": " + std::string(needle.cure)});
                }
            }
        }
    }
    return findings;
}

bool begins_test(std::string_view code) {
    constexpr std::array<std::string_view, 6> kMacros{
        "TEST(", "TEST_F(", "TEST_P(", "TYPED_TEST(", "RC_GTEST_PROP(", "RC_GTEST_FIXTURE_PROP("};
    return std::ranges::any_of(kMacros, [&](auto macro) { return code.starts_with(macro); });
}

bool is_comment(std::string_view line) {
    const std::size_t at = line.find_first_not_of(' ');
    return at != std::string_view::npos && line.substr(at).starts_with("//");
}

// The comment stands above the macro, or is the first line inside (where the macro's own line may
// have been broken in two).
Findings check_test_purpose(const Tree& tree) {
    Findings findings;
    for (const SourceFile& file : tree.files) {
        for (std::size_t i = 0; i < file.code.size(); ++i) {
            if (!file.under("tests") || !begins_test(file.code[i])) {
                continue;
            }
            bool told = i > 0 && is_comment(file.lines[i - 1]);
            for (std::size_t j = i + 1; j < std::min(i + 4, file.lines.size()); ++j) {
                told = told || (is_comment(file.lines[j]) && file.code[j - 1].ends_with('{'));
            }
            if (!told) {
                findings.push_back({file.path, i + 1, "test-purpose",
                                    "say first what would be wrong in the world if it failed"});
            }
        }
    }
    return findings;
}

constexpr std::array kRules{
    Rule{"bans", check_bans},
    Rule{"prose", check_prose},
    Rule{"test-purpose", check_test_purpose},
};

}  // namespace

std::span<const Rule> text_rules() {
    return kRules;
}

}  // namespace outrider::tidy
