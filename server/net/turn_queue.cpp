#include "outrider/net/turn_queue.hpp"

#include "outrider/net/session.hpp"

namespace outrider::net {

void TurnQueue::give_turn() {
    called_ = false;
    std::shared_ptr<Session> next;
    while (next == nullptr && !waiting_.empty()) {
        next = waiting_.front().lock();
        waiting_.pop_front();
    }
    if (next != nullptr) {
        next->take_turn();
    }
    if (!waiting_.empty()) {
        call_next();
    }
}

}  // namespace outrider::net
