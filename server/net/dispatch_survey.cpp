#include <utility>

#include "outrider/net/refusals.hpp"
#include "outrider/net/session.hpp"

namespace outrider::net {

void Session::handle(model::RequestId id, codec::SurveyRequest&& request) {
    const auto place = tools_.names.place({request.map, request.survey.movement_class},
                                          request.map_name, request.class_name);
    if (!place) {
        refuse(id, named_in("survey", place.error()));
        return;
    }
    request.survey.movement_class = place->movement_class;
    model::SurveyRequest out{.id = id,
                             .map = place->map,
                             .survey = std::move(request.survey),
                             .priority = request.priority,
                             .deadline = std::nullopt,
                             .mark = static_cast<std::uint8_t>(request.format)};
    if (request.deadline_us > 0) {
        out.deadline = now_ + std::chrono::microseconds(request.deadline_us);
    }
    ++in_flight_;
    shared_.parts.engine.submit(*client_, std::move(out));
}

void Session::deliver(model::SurveyReply&& reply) {
    if (reply.last) {
        --in_flight_;
        // Earlier parts tell the expansions so far; the last one all of them.
        charge(reply.body ? reply.body->result->expansions : 0);
    }
    if (!reply.body) {
        refuse(reply.id, named_in("survey", std::move(reply.body.error())));
        return;
    }
    if (reply.last) {
        ++replies_;
    }
    outbox_.survey(reply, static_cast<codec::PathFormat>(reply.mark));
}

}  // namespace outrider::net
