#pragma once
// What: every plane, weight and region of a layer against a naive weight grid.

#include <gtest/gtest.h>

#include "outrider/map/layer.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

// Fails with the first cell that differs.
[[nodiscard]] testing::AssertionResult layer_equals(const map::Layer& layer,
                                                    const WeightGrid& grid);
[[nodiscard]] testing::AssertionResult regions_equal(const map::Layer& layer,
                                                     const WeightGrid& grid);

}  // namespace outrider::test
