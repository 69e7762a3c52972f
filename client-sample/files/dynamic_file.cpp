#include "files/dynamic_file.hpp"

#include <cmath>
#include <optional>

#include "files/text_lines.hpp"
#include "outrider/base/limits.hpp"

namespace outrider::client {
namespace {

using Words = std::vector<std::string_view>;
using base::limits::kMapSideMax;

// Of a line "key number".
std::optional<std::int32_t> number_after(const std::optional<Words>& words, std::string_view key) {
    if (!words || words->size() != 2 || words->front() != key) {
        return std::nullopt;
    }
    const auto number = number_of<std::int32_t>(words->back());
    return number && *number >= 0 ? number : std::nullopt;
}

std::optional<std::int32_t> side_after(const std::optional<Words>& words, std::string_view key) {
    const auto side = number_after(words, key);
    return side && *side >= 1 && *side <= kMapSideMax ? side : std::nullopt;
}

base::Result<Patch> parse_patch(TextLines& lines, std::size_t index) {
    if (number_after(lines.next_words(), "patch") != static_cast<std::int32_t>(index)) {
        return lines.fail("here must stand: patch " + std::to_string(index));
    }
    const auto height = side_after(lines.next_words(), "height");
    if (!height) {
        return lines.fail("here must stand: height H, from 1 to " + std::to_string(kMapSideMax));
    }
    const auto width = side_after(lines.next_words(), "width");
    if (!width) {
        return lines.fail("here must stand: width W, from 1 to " + std::to_string(kMapSideMax));
    }
    if (lines.next_words() != Words{"map"}) {
        return lines.fail("here must stand: map");
    }
    Patch patch{*width, *height, {}};
    for (std::int32_t y = 0; y < *height; ++y) {
        const auto row = lines.next();
        if (!row || row->size() != static_cast<std::size_t>(*width)) {
            return lines.fail("a row of this patch must have " + std::to_string(*width) + " cells");
        }
        patch.terrain.insert(patch.terrain.end(), row->begin(), row->end());
    }
    return patch;
}

std::optional<PatchCommand> patch_command(const Words& words) {
    if (words.size() != 5 || words[0] != "P") {
        return std::nullopt;
    }
    const auto bucket = number_of<std::uint32_t>(words[1]);
    const auto patch = number_of<std::size_t>(words[2]);
    const auto x = number_of<std::int32_t>(words[3]);
    const auto y = number_of<std::int32_t>(words[4]);
    if (!bucket || !patch || !x || !y) {
        return std::nullopt;
    }
    return PatchCommand{*bucket, *patch, {*x, *y}};
}

std::optional<ScenarioQuery> query_command(const Words& words) {
    if (words.size() != 7 || words[0] != "Q") {
        return std::nullopt;
    }
    const auto bucket = number_of<std::uint32_t>(words[1]);
    const auto start_x = number_of<std::int32_t>(words[2]);
    const auto start_y = number_of<std::int32_t>(words[3]);
    const auto goal_x = number_of<std::int32_t>(words[4]);
    const auto goal_y = number_of<std::int32_t>(words[5]);
    const auto length = number_of<double>(words[6]);
    if (!bucket || !start_x || !start_y || !goal_x || !goal_y || !length ||
        !std::isfinite(*length)) {
        return std::nullopt;
    }
    return ScenarioQuery{*bucket, {*start_x, *start_y}, {*goal_x, *goal_y}, *length};
}

base::Result<DynamicScenario> parse_head(TextLines& lines) {
    DynamicScenario scenario;
    if (number_after(lines.next_words(), "version") != 2) {
        return lines.fail("the first line must be: version 2");
    }
    const auto height = side_after(lines.next_words(), "height");
    if (!height) {
        return lines.fail("here must stand: height H, from 1 to " + std::to_string(kMapSideMax));
    }
    const auto width = side_after(lines.next_words(), "width");
    if (!width) {
        return lines.fail("here must stand: width W, from 1 to " + std::to_string(kMapSideMax));
    }
    scenario.height = *height;
    scenario.width = *width;
    if (lines.next_words() != Words{"cost", "1", "octile"}) {
        return lines.fail("here must stand: cost 1 octile (no other cost is read)");
    }
    const auto file = lines.next_words();
    if (!file || file->size() != 2 || file->front() != "patch") {
        return lines.fail("here must stand: patch FILE");
    }
    scenario.patch_file = file->back();
    if (lines.next_words() != Words{"commands"}) {
        return lines.fail("here must stand: commands");
    }
    return scenario;
}

}  // namespace

base::Result<std::vector<Patch>> parse_patches(std::string_view text, std::string_view origin) {
    TextLines lines(text, origin);
    if (lines.next_words() != Words{"type", "patch"}) {
        return lines.fail("the first line must be: type patch");
    }
    const auto count = number_after(lines.next_words(), "patches");
    if (!count) {
        return lines.fail("here must stand: patches N");
    }
    std::vector<Patch> patches;
    for (std::int32_t i = 0; i < *count; ++i) {
        auto patch = parse_patch(lines, patches.size());
        if (!patch) {
            return std::unexpected(std::move(patch.error()));
        }
        patches.push_back(std::move(*patch));
    }
    if (lines.next_words()) {
        return lines.fail("more patches than the " + std::to_string(*count) + " announced");
    }
    return patches;
}

base::Result<DynamicScenario> parse_dynamic(std::string_view text, std::string_view origin) {
    TextLines lines(text, origin);
    auto scenario = parse_head(lines);
    if (!scenario) {
        return scenario;
    }
    const model::Rect map{0, 0, scenario->width, scenario->height};
    while (const auto words = lines.next_words()) {
        if (const auto patch = patch_command(*words)) {
            scenario->commands.emplace_back(*patch);
            continue;
        }
        const auto query = query_command(*words);
        if (!query) {
            return lines.fail("a command is P bucket patch x y, or Q bucket sx sy tx ty length");
        }
        if (!map.contains(query->start) || !map.contains(query->goal)) {
            return lines.fail("start and goal must lie on the map of the width and height given");
        }
        scenario->commands.emplace_back(*query);
    }
    return scenario;
}

base::Result<DynamicScenario> read_dynamic_file(const std::filesystem::path& file) {
    auto text = read_text(file);
    if (!text) {
        return std::unexpected(std::move(text.error()));
    }
    auto scenario = parse_dynamic(*text, file.string());
    if (!scenario) {
        return scenario;
    }
    const std::filesystem::path patch_file = file.parent_path() / scenario->patch_file;
    text = read_text(patch_file);
    if (!text) {
        return std::unexpected(std::move(text.error()));
    }
    auto patches = parse_patches(*text, patch_file.string());
    if (!patches) {
        return std::unexpected(std::move(patches.error()));
    }
    scenario->patches = std::move(*patches);
    for (const DynamicCommand& command : scenario->commands) {
        const auto* patch = std::get_if<PatchCommand>(&command);
        if (patch != nullptr && patch->patch >= scenario->patches.size()) {
            return base::fail(file.string() + ": a command names patch " +
                              std::to_string(patch->patch) + ", but " + patch_file.string() +
                              " has " + std::to_string(scenario->patches.size()));
        }
    }
    return scenario;
}

}  // namespace outrider::client
