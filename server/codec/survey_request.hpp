#pragma once
// What:     a survey's question to and from its protobuf message; both halves of the codec use it.
// Contract: from_wire() counts, checks ranges and adds up packed cells; what it refuses it names as
//           it is spelt in the request ("survey.group.starts").
// Source:   proto/outrider/v1/survey.proto; base/limits.hpp.

#include "outrider/codec/convert.hpp"
#include "outrider/v1/survey.pb.h"

namespace outrider::codec {

void to_wire(const SurveyRequest& request, v1::SurveyRequest& out);
[[nodiscard]] Checked<SurveyRequest> from_wire(const v1::SurveyRequest& request);

}  // namespace outrider::codec
