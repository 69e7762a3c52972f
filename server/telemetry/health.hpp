#pragma once
// What:     the two questions of an orchestrator over HTTP: /healthz (200 while the process lives)
//           and /readyz (200 while it takes requests, 503 before that and while it drains).
// Contract: start() refuses an address that cannot be had, with a sentence that says what to do.
//           Everything else that is asked for is 404.
// Threads:  set_ready() from any; the answers come from CivetWeb's own two threads.
// Source:   CivetWeb, which also serves the metrics of a later version.

#include <memory>
#include <string>

#include "outrider/base/result.hpp"

namespace outrider::telemetry {

class Health {
  public:
    // HOST:PORT; port 0 picks one.
    [[nodiscard]] static base::Result<std::unique_ptr<Health>> start(const std::string& address);
    ~Health();
    Health(const Health&) = delete;
    Health& operator=(const Health&) = delete;

    void set_ready(bool ready);
    [[nodiscard]] int port() const;

  private:
    struct Impl;
    explicit Health(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace outrider::telemetry
