#pragma once
// What:     SIGHUP: reads command line, variables, configuration file, tokens and certificate again
//           and puts into force what can change in a running server.
// Contract: all or nothing: where anything cannot be read or would not do, everything stays and the
//           log says why. No session ends but those whose token is gone. Options that need a
//           restart keep their values; the log names those that would change, each time again.
// Threads:  the main one.

#include <expected>
#include <functional>
#include <span>
#include <string_view>

#include "outrider/app/command_line.hpp"
#include "outrider/base/result.hpp"
#include "outrider/net/server.hpp"
#include "outrider/telemetry/log.hpp"

namespace outrider::app {

using ParseAgain = std::function<std::expected<Options, Exit>()>;

// The options, without their dashes, that a reload puts into force. README.md lists them.
[[nodiscard]] std::span<const std::string_view> reloadable_options();

// There is something that may change while the server runs.
[[nodiscard]] bool has_files(const Options& options);

class Reloader {
  public:
    struct Targets {
        net::Server& server;
        telemetry::Log& log;
    };
    // Targets must outlive it. `options` have been in force since the start.
    Reloader(Options options, ParseAgain parse_again, Targets targets);

    void reload();
    // What is in force, as far as a reload changes it; of all else what the files say now.
    [[nodiscard]] const Options& options() const { return options_; }

  private:
    [[nodiscard]] base::Result<void> try_reload();

    Options options_;
    ParseAgain parse_again_;
    Targets targets_;
};

}  // namespace outrider::app
