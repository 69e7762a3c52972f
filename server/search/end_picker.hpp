#pragma once
// What:     which ground the units of a group have taken for their ends, and the free cell nearest
//           to a wished one.
//
//               . . 1 1 .        Anchors 1 and 2 of units of 2 x 2 cells: they may touch, but no
//               . . 1 1 .        cell is covered twice. So of two anchors that overlap, both lie
//               . 2 2 . .        within N - 1 of one another, across and down.
//               . 2 2 . .
//
// Contract: depends on layer and calls alone. "Nearest" is octile distance, then the smaller cell
//           index.
// Cost:     is_free(): nine look-ups in a hash table. SlotScan: each cell of the rings around the
//           wish once, 64 at a load, and a heap of the open ones that were not given out.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "outrider/map/layer.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::search {

class TakenGround {
  public:
    void begin(std::int32_t footprint);
    [[nodiscard]] bool is_free(model::Cell anchor) const;
    void take(model::Cell anchor);
    [[nodiscard]] std::size_t bytes() const;

  private:
    // Squares of the map as large as the unit: two anchors in one of them overlap.
    [[nodiscard]] static std::uint64_t key_of(std::int32_t column, std::int32_t row);

    std::int32_t footprint_{1};
    std::unordered_map<std::uint64_t, model::Cell> anchors_;
};

// Cells of one component by their distance from a wish, each once.
class SlotScan {
  public:
    // Goes on where it was when it is asked for the same again.
    void begin(const map::Layer& layer, map::Component component, model::Cell wish);
    // The next that is free; nothing when there is none. It is for the caller to take it.
    [[nodiscard]] std::optional<model::Cell> next(const TakenGround& taken);
    // Words and cells looked at since begin().
    [[nodiscard]] std::uint64_t looks() const { return looks_; }
    void forget() { layer_ = nullptr; }
    [[nodiscard]] std::size_t bytes() const { return found_.capacity() * sizeof(Found); }

  private:
    // Distance, and the cell's index.
    using Found = std::pair<model::Cost, model::CellIndex>;

    void scan_ring();
    void scan_row(std::int32_t y);
    void scan_column(std::int32_t x);
    void add(model::Cell cell);

    const map::Layer* layer_{nullptr};
    map::Component component_{};
    model::Cell wish_;
    std::int32_t ring_{0};
    std::int32_t rings_{0};  // this one and those beyond lie wholly outside the map
    std::uint64_t looks_{0};
    std::vector<Found> found_;  // a heap, the nearest on top
};

}  // namespace outrider::search
