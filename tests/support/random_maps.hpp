#pragma once
// What: random maps, classes, edits and queries for property tests: noise, rooms, mazes and open
//       ground, with sides on both sides of the word and chunk borders.

#include "outrider/map/map_file.hpp"
#include "outrider/map/store.hpp"
#include "outrider/model/edit.hpp"
#include "outrider/model/movement_class.hpp"
#include "outrider/model/query.hpp"
#include "support/random.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

[[nodiscard]] map::Grid random_map(Random& random);
// Several chunks each way.
[[nodiscard]] map::Grid wide_map(Random& random);
// At most 12 x 12.
[[nodiscard]] map::Grid tiny_map(Random& random);
// Uniform or mixed, any directions, corner rule, footprint and team.
[[nodiscard]] model::MovementClass random_class(Random& random);
// A few terrain rectangles and obstacles, some placed again, some removed.
[[nodiscard]] model::EditBatch random_batch(Random& random, const map::Grid& grid);
// Any cell as start, a cell, a rectangle or a range as goal, any flags.
[[nodiscard]] model::PathQuery random_query(Random& random, const WeightGrid& grid);
// Of three quarters of the rectangle's cells, or none at all.
[[nodiscard]] std::vector<std::uint8_t> random_mask(Random& random, const model::Rect& rect);
// The state's terrain with `@` under every obstacle that does not let the class through.
[[nodiscard]] map::Grid painted(const map::State& state, const model::MovementClass& who);

}  // namespace outrider::test
