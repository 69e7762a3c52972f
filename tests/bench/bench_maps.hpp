#pragma once
// What:     the maps of the kernel table and the questions asked on each: those of the public
//           scenarios where $OUTRIDER_DATA has them, random ones on generated maps.
// Contract: the same questions in every run.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/ground.hpp"
#include "outrider/model/query.hpp"

namespace outrider::bench {

struct BenchMap {
    std::string name;
    // "game": the uniform maps whose geometric mean counts; "hard": mazes and noise; else the kind
    // of generated map.
    std::string family;
    std::function<Ground()> load;
    std::function<std::vector<model::PathQuery>(const Ground&, std::size_t)> questions;
    std::size_t questions_max{300};
    // The textbook answers every nth question.
    std::size_t textbook_every{1};
};

// Empty where the files are missing.
[[nodiscard]] std::vector<BenchMap> scenario_maps();
// 1024, 2048 and 4096 cells a side; two of 1024 with short questions.
[[nodiscard]] std::vector<BenchMap> generated_maps();
// The public maps of sixteen terrains, 2048 x 2048; empty where the files are missing.
[[nodiscard]] std::vector<BenchMap> weighted_maps();
// One of scenario_maps() by name; ends the program where there is none.
[[nodiscard]] BenchMap scenario_map(std::string_view name);
[[nodiscard]] bool has_data();

// Between connected cells, at least `apart` octile cells from each other.
[[nodiscard]] std::vector<model::PathQuery> random_questions(const Ground& ground,
                                                             std::size_t count, std::int32_t apart);
// What units of a game mostly ask: 5 to 40 cells from each other along x or y.
[[nodiscard]] std::vector<model::PathQuery> short_questions(const Ground& ground,
                                                            std::size_t count);

}  // namespace outrider::bench
