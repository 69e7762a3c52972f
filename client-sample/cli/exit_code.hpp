#pragma once
// What: what every program of the house ends with.

namespace outrider::cli {

enum ExitCode : int {
    kExitOk = 0,
    kExitFailed = 1,  // the work failed: no server, mismatches, wrong answers
    kExitUsage = 2,   // the command line is wrong
};

}  // namespace outrider::cli
