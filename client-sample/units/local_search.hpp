#pragma once
// What:     the few steps that a unit thinks of by itself: around somebody, or out of his way. The
//           long way is the server's.
// Contract: A* (Dijkstra, where there is no `towards`) within kRadius cells: the cheapest legal
//           steps to an end, by length and what the rules add. Ties go to the smaller cell, row by
//           row. Nothing when there is no end, or none within cost_max.
// Cost:     (2 kRadius + 1) squared cells at most; its memory is kept from call to call.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "outrider/map/layer.hpp"
#include "units/steps.hpp"

namespace outrider::units {

class LocalSearch {
  public:
    // Some two screens of an RTS: beyond it nobody sees why a unit does what it does.
    static constexpr std::int32_t kRadius = 24;

    // In lengths, see Step.
    using Cost = std::function<std::optional<std::uint32_t>(model::Cell)>;
    struct Rules {
        // What it costs besides the step to enter the cell; nothing: it may not.
        Cost enter;
        // What is still to come from there, if the search may end there.
        Cost end;
        std::uint32_t cost_max{};
        // `end` is hardly ever less than the octile distance to there; where it is (behind a corner
        // of waypoints) the way found may be that much longer.
        std::optional<model::Cell> towards{};
    };

    LocalSearch();

    // Without the start. Empty: there is no such way. The start itself is no end.
    [[nodiscard]] std::vector<model::Cell> find(const map::Layer& layer, model::Cell start,
                                                const Rules& rules);

  private:
    static constexpr std::int32_t kSide = 2 * kRadius + 1;
    struct Node {
        std::uint64_t round{0};
        std::uint32_t cost{};
        bool settled{false};
        std::int32_t before{};
    };
    // Cost with what is at least still to come, then cell.
    using Entry = std::pair<std::uint32_t, std::int32_t>;

    [[nodiscard]] model::Cell cell_of(std::int32_t node) const {
        return {corner_.x + node % kSide, corner_.y + node / kSide};
    }
    [[nodiscard]] std::vector<model::Cell> trace(std::int32_t node, std::int32_t start) const;
    void expand(const map::Layer& layer, std::int32_t node, const Rules& rules);

    std::vector<Node> nodes_;
    std::vector<Entry> open_;
    std::uint64_t round_{0};
    model::Cell corner_{};
};

}  // namespace outrider::units
