#pragma once
// What:     wires the rooms together and runs the server until SIGTERM or SIGINT. SIGHUP reads
//           the files again (reload.hpp); where there are none it ends the server, too.
// Contract: run() returns the exit code: 0 after a complete drain, 1 when the work failed (message
//           on standard error), be it for want of threads or memory at the start. Later want of
//           memory is met from the reserve: a reload that finds none is done again soon. What can
//           be refused without loading a map is refused before. A signal that comes while maps load
//           ends the server when the one under way is done, with 0 since there was nothing to
//           answer; it then never says that it listens. A second signal changes nothing: a drain
//           has its --drain-timeout-ms. block_signals() must have been called before any thread
//           began, so that every thread inherits that and only run() takes the signals; SIGPIPE
//           nobody takes.

#include "outrider/app/command_line.hpp"
#include "outrider/app/reload.hpp"

namespace outrider::app {

void block_signals();
[[nodiscard]] int run(Options options, const ParseAgain& parse_again);

}  // namespace outrider::app
