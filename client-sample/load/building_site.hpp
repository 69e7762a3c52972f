#pragma once
// What:     the edits of a load run: buildings that rise near paths in use and fall again.
// Contract: the same seed and calls give the same batches. At most kBuildingsMax stand at once.
//           Ids lie in a range of their own, chosen by the seed.

#include <cstdint>
#include <deque>

#include "load/dice.hpp"
#include "outrider/model/edit.hpp"

namespace outrider::load {

// A large battle's worth; few enough that the map stays passable.
inline constexpr std::size_t kBuildingsMax = 64;

class BuildingSite {
  public:
    explicit BuildingSite(std::uint64_t seed)
        : dice_(seed), next_id_(0x6C6F616400000000 + (seed << 20U)) {}

    // A building near `path_cell` rises; past kBuildingsMax the oldest falls in the same batch.
    [[nodiscard]] model::EditBatch next(model::Cell path_cell);
    // All that still stands falls.
    [[nodiscard]] model::EditBatch clear();
    [[nodiscard]] std::size_t standing() const { return standing_.size(); }

  private:
    Dice dice_;
    std::uint64_t next_id_;
    std::deque<model::ObstacleId> standing_;
};

}  // namespace outrider::load
