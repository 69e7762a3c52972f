#pragma once
// What:     the connections of a run, all on one thread of input and output.
// Contract: open_clients() gives as many as were asked for, or why one could not be had. A Closer
//           closes them before what their callbacks use is gone.
// Threads:  the caller's.
// Cost:     a greeting each, one after the other.

#include <cstdint>
#include <memory>
#include <vector>

#include "cli/options.hpp"
#include "outrider/client/client.hpp"

namespace outrider::load {

using Clients = std::vector<std::unique_ptr<client::Client>>;

[[nodiscard]] client::Result<Clients> open_clients(const cli::ServerOptions& server,
                                                   std::uint32_t count);

class Closer {
  public:
    explicit Closer(const Clients& clients) : clients_(clients) {}
    ~Closer();
    Closer(const Closer&) = delete;
    Closer& operator=(const Closer&) = delete;

  private:
    const Clients& clients_;
};

}  // namespace outrider::load
