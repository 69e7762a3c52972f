#include "units/ground.hpp"

#include "outrider/base/check.hpp"

namespace outrider::units {
namespace {

template <class Visit>
void for_each_cell(model::Cell anchor, std::int32_t side, Visit visit) {
    for (model::Cell cell = anchor; cell.y < anchor.y + side; ++cell.y) {
        for (cell.x = anchor.x; cell.x < anchor.x + side; ++cell.x) {
            visit(cell);
        }
    }
}

}  // namespace

Ground::Ground(std::int32_t width, std::int32_t height)
    : width_(width),
      height_(height),
      holders_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), kNobody),
      marks_(holders_.size()) {}

UnitIndex Ground::holder(model::Cell cell) const {
    return contains(cell) ? holders_[index_of(cell)] : kNobody;
}

UnitIndex Ground::other_than(UnitIndex unit, model::Cell anchor, std::int32_t side) const {
    for (model::Cell cell = anchor; cell.y < anchor.y + side; ++cell.y) {
        for (cell.x = anchor.x; cell.x < anchor.x + side; ++cell.x) {
            const UnitIndex found = holder(cell);
            if (found != kNobody && found != unit) {
                return found;
            }
        }
    }
    return kNobody;
}

void Ground::hold(UnitIndex unit, model::Cell anchor, std::int32_t side) {
    for_each_cell(anchor, side, [&](model::Cell cell) {
        OUTRIDER_CHECK(contains(cell));
        UnitIndex& place = holders_[index_of(cell)];
        OUTRIDER_CHECK(place == kNobody || place == unit);
        place = unit;
    });
}

void Ground::leave(model::Cell anchor, std::int32_t side) {
    for_each_cell(anchor, side, [&](model::Cell cell) { holders_[index_of(cell)] = kNobody; });
}

void Ground::mark(model::Cell anchor, std::int32_t side) {
    for_each_cell(anchor, side, [&](model::Cell cell) {
        if (contains(cell)) {
            marks_[index_of(cell)] = mark_;
        }
    });
}

bool Ground::any_marked(model::Cell anchor, std::int32_t side) const {
    bool found = false;
    for_each_cell(anchor, side, [&](model::Cell cell) {
        found = found || (contains(cell) && marks_[index_of(cell)] == mark_);
    });
    return found;
}

}  // namespace outrider::units
