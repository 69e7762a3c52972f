#include "cli/asker.hpp"

#include <chrono>

#include "cli/cpu_timer.hpp"

namespace outrider::cli {

client::Result<TimedAnswer> LocalAsker::ask(const model::PathQuery& query) {
    const auto snapshot = store_.snapshot();
    if (const auto valid = search::validate(*snapshot, query); !valid) {
        return std::unexpected(client::failure_of(valid.error()));
    }
    const map::Layer* layer = snapshot->layer(query.movement_class);
    TimedAnswer answer;
    const CpuTimer timer;
    answer.result = search::run(*layer, query, *buffers_);
    answer.elapsed_us = timer.elapsed_us();
    return answer;
}

client::Result<TimedAnswer> ServerAsker::ask(const model::PathQuery& query) {
    codec::PathRequest request;
    request.map = map_;
    request.query = query;
    const auto begin = std::chrono::steady_clock::now();
    auto answer = client_.path(std::move(request));
    const std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - begin;
    if (!answer) {
        return std::unexpected(std::move(answer.error()));
    }
    return TimedAnswer{std::move(answer->result), elapsed.count()};
}

}  // namespace outrider::cli
