#pragma once
// What:     dynamic scenarios of the Grid-Based Path Planning Competition, version 2:
//           patches of the map and queries in turn.
//           The patches stand in a file of their own.
// Contract: strict: what is malformed gives one sentence with the line and the cure. A patch may
//           reach over the edge of the map by its place in a command: only the part inside counts.
// Source:   gppc-dev/startkit-dynamic.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "files/scenario_file.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::client {

struct Patch {
    std::int32_t width{};
    std::int32_t height{};
    std::vector<model::Terrain> terrain;  // row-major
};

// Overwrite the rectangle whose top left cell is `at`.
struct PatchCommand {
    std::uint32_t bucket{};
    std::size_t patch{};  // index into the patches
    model::Cell at;
};

using DynamicCommand = std::variant<PatchCommand, ScenarioQuery>;

struct DynamicScenario {
    std::int32_t width{};
    std::int32_t height{};
    std::string patch_file;  // relative to the scenario
    std::vector<DynamicCommand> commands;
    std::vector<Patch> patches;
};

[[nodiscard]] base::Result<std::vector<Patch>> parse_patches(std::string_view text,
                                                             std::string_view origin);
// Leaves `patches` empty: they come from patch_file.
[[nodiscard]] base::Result<DynamicScenario> parse_dynamic(std::string_view text,
                                                          std::string_view origin);
// Scenario and patches, each patch that a command names checked to be there.
[[nodiscard]] base::Result<DynamicScenario> read_dynamic_file(const std::filesystem::path& file);

}  // namespace outrider::client
