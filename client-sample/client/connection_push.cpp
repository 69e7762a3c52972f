#include <utility>

#include "outrider/client/connection.hpp"

namespace outrider::client {

void Client::Connection::on_push(const codec::ServerMessage& message) {
    std::function<void(const codec::MapEdited&)> on_edit;
    {
        const base::Lock lock(mutex_);
        const auto found = watches_.find(message.id.value);
        if (found == watches_.end()) {
            // An edit may cross an unwatch on the way.
            return;
        }
        on_edit = found->second.watch.on_edit;
    }
    on_edit(std::get<codec::MapEdited>(message.body));
}

void Client::Connection::on_map_dropped(const codec::ServerMessage& message) {
    // What the watch holds goes where no lock is held.
    decltype(watches_)::node_type gone;
    {
        const base::Lock lock(mutex_);
        gone = watches_.extract(message.id.value);
    }
    if (gone && gone.mapped().watch.on_dropped) {
        gone.mapped().watch.on_dropped(std::get<codec::MapDropped>(message.body));
    }
}

bool Client::Connection::on_path_push(codec::ServerMessage& message) {
    auto& part = std::get<codec::PathPushPart>(message.body);
    std::function<void(const PathPush&)> handler;
    PathPush push;
    base::Result<bool> whole = true;
    // What an ended follow holds goes where no lock is held.
    decltype(follows_)::node_type gone;
    {
        const base::Lock lock(mutex_);
        const auto found = follows_.find(message.id.value);
        if (found == follows_.end()) {
            // Nobody listens, or the server goes on after its last push.
            counters_.unexpected += over_ ? 0U : 1U;
            return !over_;
        }
        Following& following = found->second;
        push.id = message.id;
        if (part.head) {
            following.head = *part.head;
            following.assembler = {};
        }
        if (!following.head.refusal) {
            whole = following.assembler.add(std::move(part.path));
        }
        if (whole && *whole) {
            push.reason = following.head.reason;
            push.start = following.head.start;
            if (following.head.refusal) {
                push.failure = failure_of(*std::move(following.head.refusal));
            } else {
                push.answer = answer_of(following.assembler.take(), following.format);
            }
            handler = following.follow.on_push;
            if (push.ended()) {
                gone = follows_.extract(found);
            }
        }
    }
    if (!whole) {
        end({FailureKind::kProtocol, "the server sent a bad push: " + whole.error().message,
             std::nullopt});
        return false;
    }
    if (*whole && handler) {
        handler(push);
    }
    return true;
}

}  // namespace outrider::client
