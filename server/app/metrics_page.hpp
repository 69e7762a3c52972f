#pragma once
// What:     which metrics the server has: the names, the help and the labels of what engine and net
//           count.
// Contract: label values are bounded: kinds, ends, priorities, roles and parts are fixed, maps are
//           at most kMapsMax, and one that is gone has no series. A series of an end that has never
//           come is left out, save COMPLETE and OVERLOADED, so that a rate of them is there from
//           the start.
// Threads:  values.

#include "outrider/engine/engine.hpp"
#include "outrider/net/server.hpp"
#include "outrider/telemetry/metrics.hpp"

namespace outrider::app {

// What is read of the parts at one scrape.
struct Readings {
    engine::Stats engine;
    engine::Metrics metrics;
    net::Stats net;
    engine::Config engine_limits;
    net::Config net_limits;
    bool is_ready{false};
    bool is_draining{false};
    double uptime_s{};
};

[[nodiscard]] telemetry::Families families_of(const Readings& readings);

}  // namespace outrider::app
