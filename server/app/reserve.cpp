#include "outrider/app/reserve.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

#include "outrider/base/mutex.hpp"

namespace outrider::app {
namespace {

// A new-handler is a plain function and has no object: what it needs stands here. Both are changed
// together, so that the ledger is exhausted exactly while the reserve is out.
struct Kept {
    base::Mutex mutex;
    void* memory OUTRIDER_GUARDED_BY(mutex){nullptr};
    engine::MemoryLedger* ledger OUTRIDER_GUARDED_BY(mutex){nullptr};
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

// Nothing in here may allocate.
void give_out() {
    Kept& here = kept();
    const base::Lock lock(here.mutex);
    if (here.memory == nullptr) {
        throw std::bad_alloc();
    }
    here.ledger->set_exhausted(true);
    give_back(std::exchange(here.memory, nullptr));
}

}  // namespace

Reserve::Reserve(engine::MemoryLedger& ledger) {
    {
        const base::Lock lock(kept().mutex);
        kept().ledger = &ledger;
        kept().memory = take();
    }
    std::set_new_handler(give_out);
}

Reserve::~Reserve() {
    std::set_new_handler(nullptr);
    const base::Lock lock(kept().mutex);
    kept().ledger = nullptr;
    give_back(std::exchange(kept().memory, nullptr));
}

bool Reserve::refill() {
    Kept& here = kept();
    const base::Lock lock(here.mutex);
    if (here.memory != nullptr) {
        return false;
    }
    here.memory = take();
    here.ledger->set_exhausted(here.memory == nullptr);
    return here.memory == nullptr;
}

}  // namespace outrider::app
