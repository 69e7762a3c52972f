#pragma once
// What: makes allocations of this program fail. Whoever links it has the program's operator new.

#include <atomic>
#include <cstdint>

namespace outrider::test {

// The so many-th allocation from now on fails, once; 0: none.
extern std::atomic<std::int64_t> fails_in;

// While one of these lives, no allocation of any thread succeeds. Needs that no test macro fails
// meanwhile: they allocate.
class NoMemory {
  public:
    NoMemory();
    ~NoMemory();
    NoMemory(const NoMemory&) = delete;
    NoMemory& operator=(const NoMemory&) = delete;
};

}  // namespace outrider::test
