#pragma once
// What:     turns the patch lines of a dynamic scenario into edit batches.
// Contract: consecutive patch lines, with no query between them, are one burst and make one batch,
//           as a game sends the changes of one tick; a burst beyond the limits of a batch is split.
//           Later patches of a burst overwrite earlier ones.

#include <variant>
#include <vector>

#include "files/dynamic_file.hpp"
#include "outrider/model/edit.hpp"

namespace outrider::cli {

struct Burst {
    std::vector<model::EditBatch> batches;  // more than one only beyond the limits
    std::size_t patches{};
};

using Step = std::variant<Burst, client::ScenarioQuery>;

[[nodiscard]] std::vector<Step> steps_of(const client::DynamicScenario& scenario);

}  // namespace outrider::cli
