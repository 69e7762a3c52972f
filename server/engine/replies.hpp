#pragma once
// What: the refusals and the answers without a path that the engine itself gives. Private to the
//       engine room.

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "outrider/base/clock.hpp"
#include "outrider/model/ids.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/model/query.hpp"
#include "outrider/model/request.hpp"
#include "outrider/model/survey.hpp"

namespace outrider::engine {

[[nodiscard]] model::Refusal shutting_down();
[[nodiscard]] model::Refusal internal_error();
[[nodiscard]] model::Refusal unknown_map(model::MapId map);
// A map that is not loaded: `field` of the order to load it.
[[nodiscard]] model::Refusal map_refused(model::RefusalCode code, const char* field,
                                         std::string message);
// What stood on a map when it was dropped. 0: no other map has its name.
[[nodiscard]] model::Refusal map_dropped(model::MapId map, model::MapId successor);
[[nodiscard]] model::Refusal unknown_client();
[[nodiscard]] model::Refusal duplicate_request(model::RequestId request);
[[nodiscard]] model::Refusal bad_priority();
// What is wrong with the request as one to follow; nothing for others.
[[nodiscard]] std::optional<model::Refusal> refusal_of_follow(const model::PathRequest& request);
// `what` has reached its bound `most`.
[[nodiscard]] model::Refusal overloaded(const char* what, std::size_t most,
                                        std::chrono::milliseconds retry_after);
// The process has all the memory that it may have, or can get.
[[nodiscard]] model::Refusal out_of_memory(std::size_t used, std::chrono::milliseconds retry_after);
// The engine has more to do than it can, for longer than a moment.
[[nodiscard]] model::Refusal too_long_a_wait(base::Duration wait, base::Duration stay_away);
[[nodiscard]] std::shared_ptr<const model::PathResult> without_path(const model::PathQuery& query,
                                                                    model::Outcome outcome);
// Nothing but the outcome; of a group the units that stand in no part before it have it too.
[[nodiscard]] std::shared_ptr<const model::SurveyResult> without_survey(const model::Survey& survey,
                                                                        model::Outcome outcome);

}  // namespace outrider::engine
