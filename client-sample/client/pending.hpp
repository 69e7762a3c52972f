#pragma once
// What:     the calls that wait for their final reply, by request id.
// Contract: each entry is taken out exactly once, with the answer or with the failure.
// Threads:  one at a time (the connection's lock).

#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "outrider/client/client.hpp"
#include "outrider/codec/assemble.hpp"

namespace outrider::client {

struct PendingPath {
    Callback<PathAnswer> done;
    codec::PathFormat format{};
    codec::PathAssembler assembler;
    OnLeg on_leg;
};

struct PendingSurvey {
    PendingSurvey(Callback<SurveyAnswer> when_done, std::function<void(GroupArrival)> when_part,
                  const model::Survey& survey)
        : done(std::move(when_done)), on_part(std::move(when_part)), assembler(survey) {}

    Callback<SurveyAnswer> done;
    std::function<void(GroupArrival)> on_part;
    codec::SurveyAssembler assembler;
    // Without on_part: what has come.
    std::vector<model::UnitPath> units{};
};

struct PendingMapState {
    Callback<codec::MapState> done;
    codec::MapStateAssembler assembler;
};

using Pending = std::variant<PendingPath, PendingSurvey, PendingMapState, Callback<codec::Welcome>,
                             Callback<codec::EditReply>, Callback<codec::CancelReply>,
                             Callback<codec::Pong>, Callback<codec::StatsReply>,
                             Callback<codec::ListMapsReply>, Callback<codec::UnwatchReply>,
                             Callback<codec::AddClassReply>, Callback<codec::ProgressReply>,
                             Callback<codec::LoadMapReply>, Callback<codec::DropMapReply>>;

// A whole reply, or a whole push, as the caller sees it.
[[nodiscard]] PathAnswer answer_of(codec::PathReply reply, codec::PathFormat format);

// What to do once the lock is gone; empty when more parts must come.
using Completion = std::function<void()>;

// Gives one reply to the call that waits for it. An error when the reply is none of that call's.
// Whether the call is finished by it stands in `finished`.
[[nodiscard]] std::expected<Completion, std::string> accept_reply(Pending& pending,
                                                                  codec::ServerMessage message,
                                                                  bool& finished);
void fail_call(const Pending& pending, const Failure& failure);

}  // namespace outrider::client
