#include "support/failing_memory.hpp"

#include <cstdlib>
#include <new>

namespace outrider::test {

std::atomic<std::int64_t> fails_in{0};

namespace {

std::atomic<bool> is_out{false};

bool fails() {
    return is_out || (fails_in > 0 && --fails_in == 0);
}

}  // namespace

NoMemory::NoMemory() {
    is_out = true;
}
NoMemory::~NoMemory() {
    is_out = false;
}

}  // namespace outrider::test

// GCC looks through one half of the pair and not the other, and then sees free() meet new.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t bytes) {
    if (!outrider::test::fails()) {
        if (void* memory = std::malloc(bytes)) {
            return memory;
        }
    }
    throw std::bad_alloc{};
}
// Of stable_sort; else a sanitizer's own would meet the free() below.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return outrider::test::fails() ? nullptr : std::malloc(bytes);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Tables of nodes come from calloc, which a sanitizer keeps for itself.
extern "C" void* __libc_calloc(std::size_t count, std::size_t bytes);
extern "C" void* calloc(std::size_t count, std::size_t bytes) {
    if (outrider::test::fails()) {
        return nullptr;
    }
    return __libc_calloc(count, bytes);
}
#endif
