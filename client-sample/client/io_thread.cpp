#include "outrider/client/io_thread.hpp"

#include "outrider/client/io_thread_state.hpp"

namespace outrider::client {

IoThread::IoThread() : state_(std::make_unique<State>()) {
    state_->thread = std::thread([context = &state_->context] { context->run(); });
}

IoThread::~IoThread() {
    state_->guard.reset();
    state_->context.stop();
    state_->thread.join();
}

bool IoThread::on_this_thread() const {
    return std::this_thread::get_id() == state_->thread.get_id();
}

}  // namespace outrider::client
