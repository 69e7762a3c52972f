#pragma once
// What:     the files that hold secrets, or belong to them: tokens, certificate, key, authorities.
// Contract: read_secrets() leaves the options as they were where a file cannot be read or would not
//           do, and its error names the file. No secret is ever told.

#include <string>
#include <vector>

#include "outrider/app/command_line.hpp"
#include "outrider/base/result.hpp"
#include "outrider/telemetry/log.hpp"

namespace outrider::app {

// Reads them into options.net.
[[nodiscard]] base::Result<void> read_secrets(Options& options);
// Whose files hold something else now, by what it is: "tokens", "certificate".
[[nodiscard]] std::vector<std::string> changed_secrets(const Options& held, const Options& next);
// The log's line on the certificate in use, with a warning where it is out of date, and one for
// each file of secrets that every user of the machine can read or write.
void tell_of_secrets(const Options& options, telemetry::Log& log);

}  // namespace outrider::app
