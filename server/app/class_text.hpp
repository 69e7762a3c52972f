#pragma once
// What:     a movement class as one word of a command line:
//           NAME=TERRAIN:WEIGHT,...[;directions=4|8][;corner=both|one|none][;footprint=N][;team=N]
//           with TERRAIN the character of the map file and WEIGHT in tenths of plain ground, such
//           as "boat=W:10,S:15;footprint=2".
// Contract: anything else gives an error that names the part and the cure.

#include <string_view>

#include "outrider/base/result.hpp"
#include "outrider/model/movement_class.hpp"

namespace outrider::app {

[[nodiscard]] base::Result<model::MovementClass> parse_class(std::string_view text);

}  // namespace outrider::app
