#include "outrider/app/application.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <new>
#include <thread>

#include "support/eventually.hpp"

namespace outrider::app {
namespace {

// Ends the process: with run()'s code, or 9 where nobody came back to what was left out.
[[noreturn]] void reload_without_memory() {
    block_signals();
    Options options;
    options.net.port = 0;
    options.config_file = "none";  // there is something to reload
    std::atomic<int> asked{0};
    std::thread operator_of_it([&] {
        ::kill(::getpid(), SIGHUP);
        (void)test::eventually([&] { return asked >= 2; });
        ::kill(::getpid(), SIGTERM);
    });
    const int code = run(options, [&]() -> std::expected<Options, Exit> {
        if (asked.fetch_add(1) == 0) {
            throw std::bad_alloc();
        }
        return options;
    });
    operator_of_it.join();
    ::_exit(asked >= 2 ? code : 9);
}

// Fault kind: want of memory. If this failed, a reload at the moment when memory is used up would
// end all games; or a token that was to be withdrawn would stay good, and nobody would hear of it.
TEST(Application, AReloadThatFoundNoMemoryIsDoneAtTheNextTurn) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(reload_without_memory(), testing::ExitedWithCode(0), "reloaded");
}

}  // namespace
}  // namespace outrider::app
