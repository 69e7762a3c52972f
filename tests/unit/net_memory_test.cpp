// What the network's parts do that find no memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <string>

#include "outrider/net/allowances.hpp"
#include "outrider/net/slow_log.hpp"
#include "support/engine_world.hpp"
#include "support/failing_memory.hpp"

namespace outrider::net {
namespace {

// Fault kind: a hole that is left behind. If this failed, one greeting that found no memory would
// end the server for everybody, some hundred greetings later.
TEST(NetMemory, AnAccountThatFoundNoneLeavesNoHole) {
    const test::ManualClock clock;
    Allowances accounts;
    const auto open = [&](std::uint32_t from) {
        return accounts.open(digest_of("play"), key_of(asio::ip::address_v4(from)), clock.now());
    };
    std::int64_t failed = 0;
    for (std::int64_t which = 1; which <= 4; ++which) {
        test::fails_in = which;
        try {
            (void)open(static_cast<std::uint32_t>(which));
        } catch (const std::bad_alloc&) {
            ++failed;
        }
        test::fails_in = 0;
        EXPECT_NE(open(static_cast<std::uint32_t>(which)), nullptr) << which;
    }
    EXPECT_GE(failed, 2) << "the account, and its place in the table";
    test::fails_in = 2;
    try {
        (void)open(5);  // and nobody comes again from there
    } catch (const std::bad_alloc&) {
    }
    test::fails_in = 0;
    for (std::uint32_t other = 100; other < 400; ++other) {
        EXPECT_NE(open(other), nullptr);
    }
    EXPECT_LT(accounts.size(), 200U) << "it has been swept";
}

// Fault kind: what may fail beside what must not. If this failed, a slow request's line that finds
// no memory would take the worker's other replies with it.
TEST(NetMemory, ALineOfASlowRequestIsLeftOut) {
    const base::SteadyClock clock;
    engine::Config config;
    config.workers = 0;
    const auto engine = engine::Engine::create(config, clock).value();
    const std::string name(40, 'm');  // longer than a string holds without memory of its own
    const model::MapId map =
        engine->add_map(name, test::open_grid(4, 4), {model::ground_class()}).value();
    engine::SlowRequest request;
    request.map = map;
    testing::internal::CaptureStderr();
    {
        telemetry::Log log({.level = telemetry::Level::kWarning}, clock);
        const Server::Parts parts{
            .engine = *engine, .engine_config = config, .clock = clock, .log = log};
        {
            const test::NoMemory none;
            log_slow(request, 1, parts);
        }
        log_slow(request, 2, parts);
    }
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::ranges::count(told, '\n'), 1) << told;
    EXPECT_NE(told.find("session=2"), std::string::npos) << told;
}

}  // namespace
}  // namespace outrider::net
