#pragma once
// What:     some memory kept back for the moment when the system gives no more, so that the process
//           ends its work in order in place of being ended.
// Contract: when an allocation fails for the first time the reserve is given back to the system,
//           and the allocation is tried again. From then on the ledger is exhausted: the engine
//           refuses what needs more memory, and what was accepted is answered from the reserve.
//           refill() takes it again as soon as there is room, and ends that. One a process.
// Threads:  allocations fail on any thread; refill() from one.
// Cost:     kReserveBytes of address space. Untouched: an allocation fails where a limit on address
//           space or commitment is reached, and this counts there without being resident.

#include <cstddef>

#include "outrider/engine/memory.hpp"

namespace outrider::app {

// Everything that a full queue of replies takes on its way out, and some.
inline constexpr std::size_t kReserveBytes = 16U << 20U;

class Reserve {
  public:
    explicit Reserve(engine::MemoryLedger& ledger);
    ~Reserve();
    Reserve(const Reserve&) = delete;
    Reserve& operator=(const Reserve&) = delete;

    // True when the reserve has been given out, and could not be taken again.
    [[nodiscard]] bool refill();
};

}  // namespace outrider::app
