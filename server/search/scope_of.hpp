#pragma once
// What:     aim and scope of an answer (model/scope.hpp), from what the plan asked and how the
//           kernel ended.
// Contract: holds for a kernel that closes no cell of which start bound + goal bound is above the
//           cost it answers with, and that decides by closed cells, the ways to them, and their
//           eight neighbours alone. A kernel of which that is not proven gets everything.
// Source:   server/search/README.md, "What an answer hangs on".

#include "outrider/model/scope.hpp"
#include "outrider/search/kernel.hpp"
#include "outrider/search/plan.hpp"

namespace outrider::search {

// Of a plan that needs a search.
[[nodiscard]] model::Aim aim_of(const Plan& plan);
[[nodiscard]] model::Scope scope_of(const Plan& plan, Progress end, model::Cost cost);

}  // namespace outrider::search
