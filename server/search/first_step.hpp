#pragma once
// What: the step of a unit off a blocked cell, which weighs as the class's cheapest terrain; in
//       units of Field::unit().

#include "outrider/map/layer.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/search/moves.hpp"

namespace outrider::search {

[[nodiscard]] inline model::Cost first_step(const map::Layer& layer, model::Cell to,
                                            std::size_t move) {
    const model::Cost step = move < kNE ? model::kStraight : model::kDiagonal;
    return layer.uniform() ? step : step * (model::Cost{layer.weight_min()} + layer.weight(to));
}

}  // namespace outrider::search
