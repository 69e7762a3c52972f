#pragma once
// What:     a recorded request in the words of the command line, to be pasted into a shell.
// Contract: the words ask the same question of a server's map of that name; what `outrider path`
//           has no option for stands behind them as a shell's comment.

#include <string>
#include <string_view>

#include "outrider/model/query.hpp"

namespace outrider::record {

[[nodiscard]] std::string words_of(std::string_view map_name, std::string_view class_name,
                                   const model::PathQuery& query);

}  // namespace outrider::record
