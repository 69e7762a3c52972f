#pragma once
// What:     which unit of a group gets which end, so that units keep their places beside one
//           another and few ways cross.
//
//               a b          A B        Seen along the way from the units' middle to that of the
//               c d   --->   C D        ends both fall into as many columns, left to right, and in
//               e f          E F        each column who is in front comes to the front.
//
// Contract: as many ends as units. No two ways of one column cross; those of two columns seldom
//           do. The same for the same lists.
// Cost:     sorts both lists twice.

#include <cstdint>
#include <span>
#include <vector>

#include "outrider/model/cell.hpp"

namespace outrider::search {

// For each unit the number of its end.
[[nodiscard]] std::vector<std::uint32_t> share_out(std::span<const model::Cell> units,
                                                   std::span<const model::Cell> ends);

}  // namespace outrider::search
