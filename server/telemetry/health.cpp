#include "outrider/telemetry/health.hpp"

#include <civetweb.h>

#include <atomic>
#include <string_view>
#include <utility>

namespace outrider::telemetry {
namespace {

struct StopWeb {
    void operator()(mg_context* context) const { mg_stop(context); }
};

int answer(mg_connection* connection, int status, std::string_view text) {
    mg_response_header_start(connection, status);
    mg_response_header_add(connection, "Content-Type", "text/plain", -1);
    mg_response_header_add(connection, "Content-Length", std::to_string(text.size()).c_str(), -1);
    mg_response_header_send(connection);
    mg_write(connection, text.data(), text.size());
    return status;
}

int answer_health(mg_connection* connection, void*) {
    return answer(connection, 200, "ok\n");
}

int answer_readiness(mg_connection* connection, void* ready) {
    return static_cast<const std::atomic<bool>*>(ready)->load()
               ? answer(connection, 200, "ready\n")
               : answer(connection, 503, "not ready\n");
}

}  // namespace

struct Health::Impl {
    std::atomic<bool> ready{false};
    // Last, so that its threads end before what they read.
    std::unique_ptr<mg_context, StopWeb> web;
};

Health::Health(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Health::~Health() = default;

base::Result<std::unique_ptr<Health>> Health::start(const std::string& address) {
    // Two threads: a probe that hangs must not keep the next one from its answer.
    const char* options[] = {"listening_ports",    address.c_str(), "num_threads", "2",
                             "request_timeout_ms", "2000",          nullptr};
    auto impl = std::make_unique<Impl>();
    const mg_callbacks callbacks{};
    impl->web.reset(mg_start(&callbacks, nullptr, options));
    if (!impl->web) {
        return base::fail("cannot serve HTTP on " + address +
                          ": give --http another HOST:PORT, or end what listens there");
    }
    mg_set_request_handler(impl->web.get(), "/healthz$", answer_health, nullptr);
    mg_set_request_handler(impl->web.get(), "/readyz$", answer_readiness, &impl->ready);
    return std::unique_ptr<Health>(new Health(std::move(impl)));
}

void Health::set_ready(bool ready) {
    impl_->ready.store(ready);
}

int Health::port() const {
    mg_server_port port{};
    return mg_get_server_ports(impl_->web.get(), 1, &port) == 1 ? port.port : 0;
}

}  // namespace outrider::telemetry
