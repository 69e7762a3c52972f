#pragma once
// What:     one part of a survey's reply from its protobuf message.
// Contract: what comes out is in range for its type; whether parts belong together is for
//           assemble.hpp to say.

#include "outrider/codec/convert.hpp"
#include "outrider/v1/survey.pb.h"

namespace outrider::codec {

// Of any packed cells: the differences as they travel.
[[nodiscard]] Checked<std::vector<model::Cell>> steps_from_wire(const v1::PackedCells& in,
                                                                const char* field);

[[nodiscard]] Checked<SurveyPart> from_wire(const v1::SurveyReply& in);

}  // namespace outrider::codec
