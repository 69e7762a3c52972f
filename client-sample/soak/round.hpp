#pragma once
// What:     one round of a soak: new connections, a load run of followed units with buildings
//           rising among them, everything checked afterwards, everything torn down again.
// Contract: what could not be done (connect, watch) is a Failure; what was wrong stands in the
//           report.
// Threads:  the caller's, and an I/O thread while it lasts.

#include <string>

#include "cli/options.hpp"
#include "load/options.hpp"
#include "load/report.hpp"

namespace outrider::soak {

struct RoundOptions {
    cli::ServerOptions server;
    std::string map;
    load::LoadOptions load;
};

[[nodiscard]] client::Result<load::Report> run_round(const RoundOptions& options);

}  // namespace outrider::soak
