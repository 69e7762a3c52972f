#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <new>
#include <vector>

#include "outrider/app/reserve.hpp"
#include "support/eventually.hpp"

namespace outrider::app {
namespace {

constexpr std::size_t kBlockBytes = 256U << 10U;
// What the process may take beyond what it has.
constexpr std::size_t kRoomBytes = 64U << 20U;

using Blocks = std::vector<std::unique_ptr<std::byte[]>>;

void limit_address_space() {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + kRoomBytes;
    const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
    EXPECT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
}

// How many more there is room for, of those that stay; up to the moment that `enough` is true.
template <class Enough>
std::size_t fill(Blocks& blocks, Enough enough) {
    const std::size_t before = blocks.size();
    try {
        while (!enough()) {
            blocks.push_back(std::make_unique_for_overwrite<std::byte[]>(kBlockBytes));
        }
    } catch (const std::bad_alloc&) {
    }
    return blocks.size() - before;
}

// Ends the process: with the number of the step that failed, or 0.
[[noreturn]] void use_twice() {
    engine::MemoryLedger ledger(0);
    Blocks blocks;
    blocks.reserve(2 * (kRoomBytes + kReserveBytes) / kBlockBytes);
    Reserve reserve(ledger);
    limit_address_space();
    for (const int round : {0, 10}) {
        (void)fill(blocks, [&] { return ledger.full(); });
        if (!ledger.full()) {
            ::_exit(round + 1);
        }
        const std::size_t more = fill(blocks, [] { return false; });
        if (more * kBlockBytes < kReserveBytes / 4 * 3) {
            ::_exit(round + 2);
        }
        if (!reserve.refill() || !ledger.full()) {
            ::_exit(round + 3);
        }
        blocks.clear();
        if (!test::eventually([&] { return !reserve.refill(); }) || ledger.full()) {
            ::_exit(round + 4);
        }
    }
    ::_exit(0);
}

// Fault kind: want of memory. If this failed, what the server has accepted would end with it where
// the system gives no more (2); or the server would refuse everything from then on, though all of
// that memory is free again (4).
TEST(Reserve, IsThereWhenMemoryRunsOutAndOnceItIsFreeAgain) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // the allocator has a thread of its own
    EXPECT_EXIT(use_twice(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace outrider::app
