#pragma once
// What:     puts the parts of one path reply, or of one map state, together again.
// Contract: add() parts in the order of arrival; when it returns true the value is whole and take()
//           hands it out. Parts that do not fit (a step off the map, rows out of order, too many
//           cells) give an error, and the assembler is of no more use.
// Threads:  one at a time.
// Cost:     memory grows with what arrived.

#include "outrider/base/result.hpp"
#include "outrider/codec/messages.hpp"

namespace outrider::codec {

class PathAssembler {
  public:
    [[nodiscard]] base::Result<bool> add(PathPart part);
    [[nodiscard]] PathReply take() { return std::move(reply_); }

  private:
    PathReply reply_;
    bool started_{false};
    model::Cell last_explored_{};
};

class MapStateAssembler {
  public:
    [[nodiscard]] base::Result<bool> add(MapStatePart part);
    [[nodiscard]] MapState take() { return std::move(state_); }

  private:
    MapState state_;
    bool started_{false};
};

}  // namespace outrider::codec
