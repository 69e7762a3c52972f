#pragma once
// What:     one load test: it watches the map, sends its requests, takes down what it built, and
//           checks every answer against its own copy of the map, if that is asked for.
// Contract: what could not be done (a watch, room for the units) is a Failure; what was wrong
//           stands in the report, and examples of it on standard error.
// Threads:  the caller's, and an I/O thread while it lasts.

#include <memory>
#include <optional>

#include "cli/options.hpp"
#include "load/battle.hpp"
#include "load/clients.hpp"
#include "load/options.hpp"
#include "load/push_log.hpp"
#include "load/report.hpp"
#include "load/traffic.hpp"
#include "load/verifier.hpp"

namespace outrider::load {

class Runner;

class LoadTest {
  public:
    // `checking` hears how far the check is, from nothing on.
    LoadTest(const LoadOptions& options, Clients clients, cli::Place place,
             Verifier::Progress checking);

    client::Result<Report> run();

  private:
    // The map before and after the run.
    struct Ends {
        const codec::MapState& begin;
        const std::optional<codec::MapState>& end;  // nothing when the server did not send it
    };

    client::Result<codec::MapState> watch();
    client::Result<std::unique_ptr<Battle>> muster(Traffic& traffic,
                                                   std::unique_ptr<map::Store> store) const;
    void wait_for_pushes(const Runner& runner, Report& report) const;
    static void note_cache(const client::Result<codec::StatsReply>& before,
                           const client::Result<codec::StatsReply>& after, Report& report);
    void demolish(Runner& runner, Report& report);
    client::Result<void> verify(const Runner& runner, const Ends& ends, Report& report) const;

    const LoadOptions options_;
    std::shared_ptr<PushLog> pushes_{std::make_shared<PushLog>()};
    Clients clients_;
    cli::Place place_;
    Verifier::Progress checking_;
};

}  // namespace outrider::load
