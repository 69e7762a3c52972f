#pragma once
// What:     the ways back to the sources of a search by jumps, as turning points.
// Contract: a leg runs from where the leg before it began: diagonally first, then straight. write()
//           gives the same points whatever was written before.
// Cost:     add(): constant. write(): a few loads for each leg that no way has come by before, and
//           for all that follow one copy of memory, since ways that meet stay together. Memory: 16
//           bytes a leg, and 8 a turning point, those shared by many ways counted once.

#include <cstdint>
#include <vector>

#include "outrider/model/cell.hpp"

namespace outrider::search {

class JumpWays {
  public:
    void begin();
    // A leg that begins at a source, or at a cell where leg `before` led.
    void add_source(std::int32_t x, std::int32_t y);
    void add(std::int32_t x, std::int32_t y, std::uint32_t before);
    [[nodiscard]] std::uint32_t last() const {
        return static_cast<std::uint32_t>(legs_.size()) - 1;
    }

    // The way from `target`, where `leg` led. `points` ends at the target or beside it. Returns how
    // many legs were looked at.
    std::uint64_t write(model::Cell target, std::uint32_t leg, std::vector<model::Cell>& points);
    [[nodiscard]] std::size_t bytes() const;

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    // A place in what was written.
    struct Place {
        std::uint32_t part{kNone};
        std::uint32_t at{0};
    };
    struct Leg {
        std::uint16_t x;
        std::uint16_t y;
        std::uint32_t before;  // of a source its own number
        Place written;         // where its cell stands, if any way turns there
    };
    // Points that were first written together: up to `end`, then on from `then`.
    struct Part {
        std::uint32_t end;
        Place then;
    };
    // A leg that begins at a point of the way that is being written.
    struct Turn {
        std::uint32_t leg;
        std::size_t index;
    };

    void keep(const std::vector<model::Cell>& points, Place then);
    [[nodiscard]] model::Cell cell_of(std::uint32_t leg) const {
        return {legs_[leg].x, legs_[leg].y};
    }
    // The same place, in the part that holds it; none beyond the end of the way.
    [[nodiscard]] Place settle(Place place) const;

    std::vector<Leg> legs_;
    std::vector<model::Cell> written_;
    std::vector<Part> parts_;
    std::vector<Turn> turns_;
};

}  // namespace outrider::search
