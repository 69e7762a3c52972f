#include "record/request_words.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace outrider::record {
namespace {

std::string text_of(model::Cell cell) {
    return std::to_string(cell.x) + "," + std::to_string(cell.y);
}

// Names come from files: whatever is in them, a shell sees one word.
std::string shell_word(std::string_view text) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '-' || c == '/';
    };
    if (!text.empty() && std::ranges::all_of(text, is_plain)) {
        return std::string(text);
    }
    std::string word = "'";
    for (const char c : text) {
        // A quote ends the quoted part, stands escaped, and begins the next. Control characters
        // would move a terminal's cursor.
        word += c == '\'' ? "'\\''" : std::string(1, static_cast<unsigned char>(c) < ' ' ? '?' : c);
    }
    return word + "'";
}

std::string_view option_of(model::Algorithm algorithm) {
    switch (algorithm) {
        case model::Algorithm::kAuto: return "auto";
        case model::Algorithm::kDijkstra: return "dijkstra";
        case model::Algorithm::kAstar: return "astar";
        case model::Algorithm::kJps: return "jps";
        case model::Algorithm::kFast: return "fast";
        case model::Algorithm::kTerrain: return "terrain";
    }
    return "auto";
}

std::string smoothing_of(const model::Smoothing& smoothing) {
    if (smoothing.grade == model::Grade::kWaypoints) {
        return " --smooth waypoints";
    }
    const bool whole = smoothing.clearance == model::kClearanceMax;
    return " --smooth corners" +
           (whole ? std::string{} : " --clearance " + std::to_string(smoothing.clearance));
}

std::string weight_of(std::uint32_t percent) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%u.%02u", percent / 100, percent % 100);
    return text.data();
}

}  // namespace

std::string words_of(std::string_view map_name, std::string_view class_name,
                     const model::PathQuery& query) {
    std::string words = "outrider path --map " + shell_word(map_name) + " --class " +
                        shell_word(class_name) + " --from " + text_of(query.start) + " --to " +
                        text_of({query.goal.rect.x, query.goal.rect.y});
    const auto add = [&words](bool wanted, const std::string& text) {
        words += wanted ? text : std::string{};
    };
    add(query.algorithm != model::Algorithm::kAuto,
        " --algorithm " + std::string(option_of(query.algorithm)));
    add(query.weight_percent != 100, " --weight " + weight_of(query.weight_percent));
    add(query.goal.range != 0, " --range " + std::to_string(query.goal.range));
    add(query.allow_partial, " --partial");
    add(query.leave_blocked_start, " --leave-blocked-start");
    add(query.smoothing.grade != model::Grade::kNone, smoothing_of(query.smoothing));
    add(query.goal.rect.width != 1 || query.goal.rect.height != 1,
        "  # to any of the " + std::to_string(query.goal.rect.width) + " x " +
            std::to_string(query.goal.rect.height) + " cells from there");
    return words;
}

}  // namespace outrider::record
