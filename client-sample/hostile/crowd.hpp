#pragma once
// What:     connections that misbehave, each in its own way (kinds.hpp), until they are told to
//           stop. Whoever is thrown out, or cannot get in, comes back after a pause.
// Contract: peers are dealt out to the kinds in turn. The destructor closes them all at once, as
//           a process that dies does. What they send depends on the seed alone.
// Threads:  the peers live on a thread of the crowd's own; counts() from any.
// Cost:     next to none for a peer that waits. A peer comes back some ten times a second at most.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hostile/kinds.hpp"

namespace outrider::hostile {

struct Target {
    std::string host;
    std::string port;
    std::string token;  // a hostile peer may well have one
};

struct KindCounts {
    std::uint64_t connected{};
    // Connections that the server ended.
    std::uint64_t thrown_out{};
    // Could not connect at all.
    std::uint64_t failed{};
    std::uint64_t bytes{};
};
using Counts = std::array<KindCounts, kKinds.size()>;

struct CrowdOptions {
    std::size_t peers{10};
    // In this order, again and again.
    std::vector<Kind> kinds{kKinds.begin(), kKinds.end()};
    std::uint64_t seed{1};
};

class Crowd {
  public:
    Crowd(const Target& target, const CrowdOptions& options);
    ~Crowd();
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    [[nodiscard]] Counts counts() const;
    // Of the peers, how many have been connected at least once.
    [[nodiscard]] std::size_t seen() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace outrider::hostile
