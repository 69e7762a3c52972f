#pragma once
// What:     the MovingAI `.map` format. The byte of a cell is its terrain class.
// Contract: reads every dialect of the public benchmarks (CR LF, header lines in any order, missing
//           final newline). A malformed file gives one sentence with line, column and the cure.
//           Accepted cell bytes: `.` `@` `T` `S` `W` and `A` .. `P`.
// Cost:     one pass; memory: the cells.
// Source:   movingai.com/benchmarks/formats.html (Sturtevant 2012).

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "outrider/base/result.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::map {

struct Grid {
    std::int32_t width{};
    std::int32_t height{};
    std::vector<model::Terrain> terrain;  // row-major, width * height
};

// `origin` names the text in messages ("arena2.map").
[[nodiscard]] base::Result<Grid> parse_map(std::string_view text, std::string_view origin);
[[nodiscard]] base::Result<Grid> read_map_file(const std::filesystem::path& file);
[[nodiscard]] std::string format_map(const Grid& grid);

}  // namespace outrider::map
