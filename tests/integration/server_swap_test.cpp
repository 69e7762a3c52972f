// A whole map put in another's place while it is asked about.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "integration/server_fixture.hpp"

namespace outrider::test {
namespace {

constexpr std::int32_t kSide = 96;
constexpr std::uint64_t kSwaps = 100;
constexpr std::uint64_t kAsksPerSwap = 20;

struct ServerSwapTest : ServerTest {
    // Open ground, or walls with gaps at alternating ends.
    static std::vector<model::Terrain> terrain_of_world(bool walled) {
        std::vector<model::Terrain> terrain(static_cast<std::size_t>(kSide) * kSide, '.');
        for (std::int32_t y = 1; walled && y < kSide; y += 2) {
            for (std::int32_t x = 0; x < kSide; ++x) {
                const std::int32_t gap = y % 4 == 1 ? kSide - 1 : 0;
                terrain[static_cast<std::size_t>(y) * kSide + static_cast<std::size_t>(x)] =
                    x == gap ? '.' : '@';
            }
        }
        return terrain;
    }
    static codec::EditRequest swap_to(model::MapId map, bool walled) {
        return {map, {{model::TerrainEdit{{0, 0, kSide, kSide}, terrain_of_world(walled)}}, {}}};
    }
    codec::PathRequest ask(model::MapId field, std::uint64_t id) const {
        codec::PathRequest request;
        request.map = field;
        request.query.start = {static_cast<std::int32_t>(id % 7), 0};
        request.query.goal.rect = {static_cast<std::int32_t>(id % 11), kSide - 2, 1, 1};
        return request;
    }
};

// Fault kind K12#123. If this failed, a game that changes its map under way would lose orders, or
// a unit would be sent along a path that is half of the one map and half of the other.
TEST_F(ServerSwapTest, K12_123_AHundredSwapsUnderLoadLoseNothing) {
    engine_config.workers = 2;
    start();
    const model::MapId field = add_field(kSide);
    RawClient editor(server->port());
    RawClient asker(server->port());
    editor.greet();
    asker.greet();
    std::map<std::uint64_t, model::Version> open;  // what was acknowledged when it was asked
    // By question: what it costs on the open map and on the walled one.
    std::map<std::pair<std::int32_t, std::int32_t>, std::array<model::Cost, 2>> costs;
    model::Version version = 1;
    std::uint64_t id = 1;
    std::set<model::Version> seen;
    const auto take_one = [&] {
        const auto message = asker.receive();
        ASSERT_TRUE(message.has_value());
        const auto asked = open.find(message->id.value);
        ASSERT_NE(asked, open.end()) << "a second reply to " << message->id.value;
        const auto* part = std::get_if<codec::PathPart>(&message->body);
        ASSERT_TRUE(part != nullptr && part->head && part->last);
        EXPECT_EQ(part->head->outcome, model::Outcome::kComplete);
        EXPECT_GE(part->head->version, asked->second) << "older than what was acknowledged";
        EXPECT_LE(part->head->version, version + 1) << "of the future";
        const codec::PathRequest request = ask(field, message->id.value);
        const bool walled = part->head->version % 2 == 0;
        model::Cost& cost =
            costs[{request.query.start.x, request.query.goal.rect.x}][walled ? 1 : 0];
        EXPECT_TRUE(cost == 0 || cost == part->head->cost)
            << "version " << part->head->version << " has another answer than before";
        cost = part->head->cost;
        seen.insert(part->head->version);
        open.erase(asked);
    };
    for (std::uint64_t swap = 0; swap < kSwaps; ++swap) {
        for (std::uint64_t i = 0; i < kAsksPerSwap; ++i) {
            open[++id] = version;
            asker.send(id, ask(field, id));
        }
        editor.send(swap + 2, swap_to(field, version % 2 == 1));
        while (!editor.something_to_read(0) && open.size() > 1 && !HasFatalFailure()) {
            take_one();
        }
        const model::Version made = editor.expect<codec::EditReply>(swap + 2).version;
        EXPECT_EQ(made, version + 1);
        version = made;
    }
    while (!open.empty() && !HasFatalFailure()) {
        take_one();
    }
    EXPECT_FALSE(asker.something_to_read(0)) << "more replies than questions";
    EXPECT_GT(seen.size(), kSwaps / 4) << "the swaps came between the questions";
    for (const auto& [question, pair] : costs) {
        EXPECT_TRUE(pair[0] == 0 || pair[1] == 0 || pair[0] < pair[1])
            << "the walled way is longer than the open one";
    }
    EXPECT_LE(engine->metrics().maps.back().snapshots, 3U) << "the old maps are let go of";
}

}  // namespace
}  // namespace outrider::test
