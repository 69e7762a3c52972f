#pragma once
// What:     which terrain became which in a batch: enough to know whether some cell became cheaper
//           for a class, whatever the number of cells. Read by the room's own sources.
// Cost:     8 KB, and a bit test where a cell's change is another than its neighbour's.

#include <algorithm>
#include <bitset>
#include <utility>
#include <vector>

#include "outrider/model/movement_class.hpp"

namespace outrider::map {

class TerrainChanges {
  public:
    void note(model::Terrain from, model::Terrain to) {
        if (from == to || (from == last_.first && to == last_.second)) {
            return;
        }
        last_ = {from, to};
        const auto number = static_cast<std::size_t>(from) * 256 + to;
        if (!seen_.test(number)) {
            seen_.set(number);
            changes_.push_back(last_);
        }
    }

    // Some cell may have become cheaper, or open. Errs on the side of yes where a batch writes a
    // cell twice, and where a footprint's dearest cell stays.
    [[nodiscard]] bool cheaper_for(const model::MovementClass& movement_class) const {
        return std::ranges::any_of(changes_, [&](const auto& change) {
            const std::uint8_t from = movement_class.weights[change.first];
            const std::uint8_t to = movement_class.weights[change.second];
            return to != 0 && (from == 0 || to < from);
        });
    }

  private:
    std::bitset<std::size_t{256} * 256> seen_;
    std::vector<std::pair<model::Terrain, model::Terrain>> changes_;
    std::pair<model::Terrain, model::Terrain> last_{};
};

}  // namespace outrider::map
