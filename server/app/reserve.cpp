#include "outrider/app/reserve.hpp"

#include <sys/mman.h>

#include <atomic>
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

// From the system and back to it: what an allocator is given back it may keep for blocks of that
// size alone.
void* take() {
    void* const memory =
        ::mmap(nullptr, kReserveBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}
void give_back(void* memory) {
    if (memory != nullptr) {
        ::munmap(memory, kReserveBytes);
    }
}

void give_out() {
    void* const memory = kept().memory.exchange(nullptr);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    if (engine::MemoryLedger* const ledger = kept().ledger) {
        ledger->set_exhausted(true);
    }
    give_back(memory);
}

}  // namespace

Reserve::Reserve(engine::MemoryLedger& ledger) {
    kept().ledger = &ledger;
    kept().memory = take();
    std::set_new_handler(give_out);
}

Reserve::~Reserve() {
    std::set_new_handler(nullptr);
    kept().ledger = nullptr;
    give_back(kept().memory.exchange(nullptr));
}

bool Reserve::refill() {
    if (kept().memory != nullptr) {
        return false;
    }
    void* const memory = take();
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
