#include "outrider/app/operator_pages.hpp"

#include <chrono>
#include <iterator>
#include <utility>

#include "outrider/app/status_page.hpp"
#include "outrider/telemetry/process.hpp"

namespace outrider::app {
namespace {

// Tokens have no business in a page, be it only their digests.
net::Config without_tokens(net::Config config) {
    config.access.tokens.clear();
    return config;
}

}  // namespace

OperatorPages::OperatorPages(const Options& options, const engine::Engine& engine,
                             const base::Clock& clock)
    : engine_limits_(options.engine),
      first_net_limits_(without_tokens(options.net)),
      engine_(engine),
      clock_(clock),
      started_(clock.now()) {}

std::vector<telemetry::Page> OperatorPages::pages() {
    return {{"/healthz", [] { return telemetry::PageText{.body = "ok\n"}; }},
            {"/readyz", [this] { return readiness(); }},
            {"/metrics", [this] { return metrics(); }},
            {"/status", [this] { return status(); }}};
}

void OperatorPages::begin_serving(const net::Server& server) {
    server_.store(&server);
    phase_.store(Phase::kServing);
}

void OperatorPages::begin_drain() {
    phase_.store(Phase::kDraining);
}

telemetry::PageText OperatorPages::readiness() const {
    switch (phase_.load()) {
        case Phase::kLoading: return {.status = 503, .body = "not ready: maps are loading\n"};
        case Phase::kServing: return {.body = "ready\n"};
        case Phase::kDraining: break;
    }
    return {.status = 503, .body = "not ready: draining\n"};
}

telemetry::PageText OperatorPages::metrics() {
    const base::Lock lock(turn_);
    telemetry::Families families = families_of(read());
    std::ranges::move(telemetry::process_families(), std::back_inserter(families));
    return {.type = std::string(telemetry::kMetricsType), .body = to_text(families)};
}

telemetry::PageText OperatorPages::status() {
    const base::Lock lock(turn_);
    return {.type = "application/json", .body = status_json(read(), engine_.maps())};
}

Readings OperatorPages::read() const {
    const Phase phase = phase_.load();
    const net::Server* const server = server_.load();
    return {.engine = engine_.stats(),
            .metrics = engine_.metrics(),
            .net = server == nullptr ? net::Stats{} : server->stats(),
            .engine_limits = engine_limits_,
            .net_limits = server == nullptr ? first_net_limits_ : without_tokens(server->config()),
            .is_ready = phase == Phase::kServing,
            .is_draining = phase == Phase::kDraining,
            .uptime_s = std::chrono::duration<double>(clock_.now() - started_).count()};
}

}  // namespace outrider::app
