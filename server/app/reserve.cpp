#include "outrider/app/reserve.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace outrider::app {
namespace {

// A new-handler is a plain function and has no object: what it needs stands here.
struct Kept {
    std::atomic<void*> memory{nullptr};
    std::atomic<engine::MemoryLedger*> ledger{nullptr};
};
Kept& kept() {
    static Kept only;
    return only;
}

void give_out() {
    void* const memory = kept().memory.exchange(nullptr);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    if (engine::MemoryLedger* const ledger = kept().ledger) {
        ledger->set_exhausted(true);
    }
    std::free(memory);
}

}  // namespace

Reserve::Reserve(engine::MemoryLedger& ledger) {
    kept().ledger = &ledger;
    // Not from operator new, whose failure this is for.
    kept().memory = std::malloc(kReserveBytes);
    std::set_new_handler(give_out);
}

Reserve::~Reserve() {
    std::set_new_handler(nullptr);
    kept().ledger = nullptr;
    std::free(kept().memory.exchange(nullptr));
}

bool Reserve::refill() {
    if (kept().memory != nullptr) {
        return false;
    }
    void* const memory = std::malloc(kReserveBytes);
    if (memory == nullptr) {
        return true;
    }
    kept().memory = memory;
    if (engine::MemoryLedger* const ledger = kept().ledger) {
        ledger->set_exhausted(false);
    }
    return false;
}

}  // namespace outrider::app
