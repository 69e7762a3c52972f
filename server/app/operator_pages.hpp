#pragma once
// What:     what an operator and an orchestrator ask over HTTP: /healthz (200 while the process
//           lives), /readyz (200 while it takes requests; 503 before all maps and their regions are
//           ready, and while it drains), /metrics and /status.
// Contract: landmarks are not waited for: without them answers are as right, only slower. pages()
//           refer to this, and this to the engine and the server: stop serving them first.
// Threads:  any. Scrapes take turns, so that many at once cost no more than one after the other.
// Cost:     a scrape takes about a millisecond and holds the engine's lock for some microseconds.

#include <atomic>
#include <string>
#include <vector>

#include "outrider/app/command_line.hpp"
#include "outrider/app/metrics_page.hpp"
#include "outrider/base/clock.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/telemetry/http.hpp"

namespace outrider::app {

class OperatorPages {
  public:
    // Takes of the options what the pages show.
    OperatorPages(const Options& options, const engine::Engine& engine, const base::Clock& clock);

    [[nodiscard]] std::vector<telemetry::Page> pages();
    // Every map is there, and the server listens.
    void begin_serving(const net::Server& server);
    void begin_drain();

  private:
    enum class Phase : std::uint8_t { kLoading, kServing, kDraining };

    [[nodiscard]] telemetry::PageText readiness() const;
    [[nodiscard]] telemetry::PageText metrics() OUTRIDER_EXCLUDES(turn_);
    [[nodiscard]] telemetry::PageText status() OUTRIDER_EXCLUDES(turn_);
    [[nodiscard]] Readings read() const;

    const engine::Config engine_limits_;
    // Of the start; from then on the server knows what is in force.
    const net::Config first_net_limits_;
    const engine::Engine& engine_;
    const base::Clock& clock_;
    const base::TimePoint started_;
    std::atomic<Phase> phase_{Phase::kLoading};
    std::atomic<const net::Server*> server_{nullptr};
    base::Mutex turn_;
};

}  // namespace outrider::app
