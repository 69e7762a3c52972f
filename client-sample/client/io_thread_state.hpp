#pragma once
// What: what io_thread.hpp hides, so that users of the library need no Asio.

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <thread>

#include "outrider/client/io_thread.hpp"

namespace outrider::client {

struct IoThread::State {
    // One thread runs the context: no locks inside Asio.
    asio::io_context context{1};
    asio::executor_work_guard<asio::io_context::executor_type> guard{context.get_executor()};
    std::thread thread;
};

}  // namespace outrider::client
