#pragma once
// What: what a ReplyEncoder keeps, for the files that its functions are spread over.

#include "outrider/codec/scratch.hpp"
#include "outrider/codec/server_codec.hpp"
#include "outrider/v1/session.pb.h"

namespace outrider::codec {

struct ReplyEncoder::State {
    Scratch scratch;

    v1::ServerMessage& fresh(model::RequestId id) {
        auto& message = scratch.fresh<v1::ServerMessage>();
        message.set_request_id(id.value);
        return message;
    }

    static bool write_path(PathCursor& cursor, v1::PathReply& wire);
    static void write_explored(PathCursor& cursor, v1::PathReply& wire);
};

}  // namespace outrider::codec
