#pragma once
// What:     where buildings rise and fall: on the way of a marching unit, some steps ahead of it,
//           never on a unit, beside one, or near a goal.
// Contract: pure; the same calls give the same buildings. At most kBuildingsMax stand at once; the
//           oldest falls first, so that no way stays closed for ever.

#include <deque>
#include <optional>

#include "demo/army.hpp"
#include "load/dice.hpp"
#include "outrider/model/edit.hpp"

namespace outrider::demo {

inline constexpr std::size_t kBuildingsMax = 14;

class Builder {
  public:
    // Obstacle ids from `first_id` on are the builder's.
    Builder(std::uint64_t seed, std::uint64_t first_id) : dice_(seed), next_id_(first_id) {}

    // One batch: a building that rises and, past kBuildingsMax, the oldest that falls. Empty when
    // no place was found.
    [[nodiscard]] model::EditBatch build(const map::Layer& layer, const Army& army);
    // One batch: the oldest falls, or all of them. Empty when none stands.
    [[nodiscard]] model::EditBatch demolish_oldest();
    [[nodiscard]] model::EditBatch demolish_all();
    [[nodiscard]] std::size_t standing() const { return standing_.size(); }

  private:
    [[nodiscard]] std::optional<model::Rect> find_site(const map::Layer& layer, const Army& army);

    load::Dice dice_;
    std::uint64_t next_id_;
    std::deque<model::ObstacleId> standing_;
};

}  // namespace outrider::demo
