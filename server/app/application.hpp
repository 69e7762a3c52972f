#pragma once
// What:     wires the rooms together and runs the server until SIGTERM or SIGINT. SIGHUP reads
//           the files again (reload.hpp); where there are none it ends the server, too.
// Contract: run() returns the exit code: 0 after a complete drain, 1 when the work failed (message
//           on standard error). block_signals() must have been called before any thread began, so
//           that every thread inherits that and only run() takes the signals.

#include "outrider/app/command_line.hpp"
#include "outrider/app/reload.hpp"

namespace outrider::app {

void block_signals();
[[nodiscard]] int run(Options options, const ParseAgain& parse_again);

}  // namespace outrider::app
