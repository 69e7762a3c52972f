#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>

#include "outrider/codec/assemble.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/net/mailbox.hpp"
#include "outrider/net/outbox.hpp"
#include "outrider/net/watchdog.hpp"

namespace outrider::net {
namespace {

using namespace std::chrono_literals;

SessionTimes quiet_session(base::TimePoint now) {
    SessionTimes times;
    times.opened = now;
    times.last_frame = now;
    times.greeted = true;
    return times;
}

// If this failed, a healthy session would be cut, or one past its time would stay for ever.
TEST(Watchdog, EachLimitHoldsAtAndAbove) {
    const Config config;
    const base::TimePoint start{1h};
    const auto at = [&](const SessionTimes& times, base::Duration later) {
        return overdue(times, config, start + later);
    };
    SessionTimes times = quiet_session(start);
    EXPECT_FALSE(at(times, config.idle_timeout));
    EXPECT_EQ(at(times, config.idle_timeout + 1ns)->code, model::RefusalCode::kNotReady);
    times.greeted = false;
    EXPECT_FALSE(at(times, config.hello_timeout));
    EXPECT_EQ(at(times, config.hello_timeout + 1ns)->code, model::RefusalCode::kUnauthenticated);
    times = quiet_session(start);
    times.frame_began = start;
    EXPECT_FALSE(at(times, config.frame_timeout));
    EXPECT_EQ(at(times, config.frame_timeout + 1ns)->code, model::RefusalCode::kInvalidArgument);
    times = quiet_session(start);
    times.blocked = start;
    EXPECT_FALSE(at(times, config.slow_reader_timeout));
    EXPECT_EQ(at(times, config.slow_reader_timeout + 1ns)->code, model::RefusalCode::kOverloaded);
}

// If this failed, a client that the server itself keeps waiting would be closed as idle.
TEST(Watchdog, APausedClientIsNotIdle) {
    const Config config;
    SessionTimes times = quiet_session(base::TimePoint{});
    times.paused = true;
    times.frame_began = base::TimePoint{};
    EXPECT_FALSE(overdue(times, config, base::TimePoint{24h}));
}

// Fault kind: the server's own delay held against the client. If this failed, a client whose frames
// wait for the turns of others would be closed as if it had sent them too slowly.
TEST(Watchdog, AClientThatStandsInLineIsNotSlow) {
    const Config config;
    SessionTimes times = quiet_session(base::TimePoint{});
    times.frame_began = base::TimePoint{};
    times.turn_over = true;
    EXPECT_FALSE(overdue(times, config, base::TimePoint{config.frame_timeout + 1ns}));
    EXPECT_FALSE(overdue(times, config, base::TimePoint{config.idle_timeout + 1ns}));
    times.turn_over = false;
    EXPECT_TRUE(overdue(times, config, base::TimePoint{config.frame_timeout + 1ns}));
}

// If this failed, a client that takes a few bytes now and then would hold its map's copy for ever,
// and a drain until its limit.
TEST(Watchdog, AReaderThatOnlySipsIsSlow) {
    const Config config;
    const base::TimePoint start{1h};
    const auto after_taking = [&](std::size_t bytes) {
        SessionTimes times = quiet_session(start);
        times.note_blocked(start);
        times.note_taken(bytes - 1);
        times.note_taken(1);
        times.note_blocked(start + config.slow_reader_timeout);
        return overdue(times, config, start + config.slow_reader_timeout + 1ns);
    };
    EXPECT_TRUE(after_taking(kTakenBytesMin - 1));
    EXPECT_FALSE(after_taking(kTakenBytesMin));
    SessionTimes times = quiet_session(start);
    times.note_blocked(start);
    times.note_nothing_waits();
    EXPECT_FALSE(overdue(times, config, start + config.slow_reader_timeout + 1ns));
}

// If this failed, a few clients that sip at a large map would hold every place for map states for
// hours, though each keeps above the least that any reader must take.
TEST(Watchdog, AMapStateMustBeTakenAtAFairRate) {
    const Config config;
    const base::TimePoint start{1h};
    const base::Duration grace = config.slow_reader_timeout;
    SessionTimes times = quiet_session(start);
    times.last_frame = start + 24h;
    times.note_taken(1U << 30U);  // what was taken before counts for nothing
    times.note_state_began(start);
    EXPECT_FALSE(overdue(times, config, start + grace));
    EXPECT_EQ(overdue(times, config, start + grace + 1ns)->code, model::RefusalCode::kOverloaded);
    times.note_taken(2 * config.map_state_bytes_per_second_min);
    EXPECT_FALSE(overdue(times, config, start + grace + 2s));
    EXPECT_TRUE(overdue(times, config, start + grace + 2s + 1ns));
    for (base::TimePoint now = start; now < start + 1h; now += grace) {
        times.note_blocked(now);
        times.note_taken(kTakenBytesMin);
    }
    EXPECT_TRUE(overdue(times, config, start + 1h));
    times.note_state_ended();
    EXPECT_FALSE(overdue(times, config, start + 1h));
}

class OneMap final : public StateSource {
  public:
    std::expected<OpenState, model::Refusal> open_state(const StateAsk& ask) override {
        if (ask.map.value != 1) {
            return std::unexpected(model::Refusal{.code = model::RefusalCode::kUnknownMap,
                                                  .field = "map_state.map_id",
                                                  .message = "no such map",
                                                  .retry_after = {}});
        }
        ++open;
        StatePlace place(this);
        watched = ask.watch;
        codec::MapState state;
        state.info.width = 1000;
        state.info.height = 1000;
        state.terrain.assign(1'000'000, '.');
        return OpenState{std::move(place), std::move(state)};
    }
    void close_state() noexcept override { --open; }

    int open{0};
    bool watched{false};
};

struct OutboxTest : testing::Test {
    // Takes up to `bytes` of what is ready and hands out the whole messages in it.
    std::vector<codec::ServerMessage> drain(std::size_t bytes_max) {
        for (std::size_t taken = 0; taken < bytes_max;) {
            const auto room = reader.prepare();
            const auto waiting = outbox.ready();
            const auto ready =
                waiting.first(std::min({waiting.size(), bytes_max - taken, room.size()}));
            if (ready.empty()) {
                break;
            }
            std::ranges::copy(ready, room.begin());
            reader.commit(ready.size());
            outbox.consume(ready.size());
            taken += ready.size();
            for (auto next = reader.next(); next && *next; next = reader.next()) {
                messages.push_back(codec::ReplyDecoder().decode(**next).value());
            }
        }
        return std::exchange(messages, {});
    }

    static model::PathAnswer answer_of(std::size_t points) {
        auto result = std::make_shared<model::PathResult>();
        for (std::size_t i = 0; i < points; ++i) {
            result->turning_points.push_back(
                {static_cast<std::int32_t>(i % 2), static_cast<std::int32_t>(i % 8000)});
        }
        return {1, result};
    }

    codec::ReplyEncoder encoder;
    OneMap source;
    Outbox outbox{encoder, source};
    wire::FrameReader reader{wire::kServerFrameBytesMax};
    std::vector<codec::ServerMessage> messages;
};

// If this failed, a huge map would sit whole in the outbox of a client that reads slowly.
TEST_F(OutboxTest, AMapIsEncodedAsItDrains) {
    outbox.state({{9}, {1}, false});
    EXPECT_EQ(source.open, 0) << "the map is copied only when its turn comes";
    codec::MapStateAssembler assembler;
    bool whole = false;
    while (!outbox.empty()) {
        for (auto& message : drain(50'000)) {
            whole = assembler.add(std::get<codec::MapStatePart>(std::move(message.body))).value();
        }
        EXPECT_LE(outbox.waiting_bytes(), 400'000U);
    }
    EXPECT_TRUE(whole);
    EXPECT_EQ(source.open, 0);
    EXPECT_EQ(assembler.take().terrain.size(), 1'000'000U);
}

// If this failed, an edit could overtake the state of the map that it changes.
TEST_F(OutboxTest, KeepsTheOrderOfArrival) {
    outbox.state({{1}, {1}, true});
    outbox.edit({{1}, {1}, 2, std::make_shared<model::EditBatch>()});
    outbox.small([](codec::ReplyEncoder& to, codec::Output& out) { to.pong({3}, 0, out); });
    outbox.path({4}, answer_of(3), codec::PathFormat::kTurningPoints);
    outbox.state({{5}, {2}, false});
    const auto got = drain(SIZE_MAX);
    ASSERT_GT(got.size(), 5U);
    EXPECT_TRUE(source.watched);
    const std::size_t states = got.size() - 4;
    for (std::size_t i = 0; i < states; ++i) {
        EXPECT_EQ(std::get<codec::MapStatePart>(got[i].body).last, i + 1 == states);
    }
    EXPECT_TRUE(std::holds_alternative<codec::MapEdited>(got[states].body));
    EXPECT_TRUE(std::holds_alternative<codec::Pong>(got[states + 1].body));
    EXPECT_TRUE(std::holds_alternative<codec::PathPart>(got[states + 2].body));
    EXPECT_TRUE(std::holds_alternative<model::Refusal>(got[states + 3].body));
}

// If this failed, a client that unwatches before its turn would be sent edits for ever.
TEST_F(OutboxTest, AWatchThatHasNotBegunCanBeForgotten) {
    outbox.state({{1}, {1}, true});
    outbox.forget_watch({2});
    outbox.state({{2}, {1}, true});
    (void)outbox.ready();
    EXPECT_TRUE(source.watched) << "another map's is none of it";
    outbox.forget_watch({1});
    (void)drain(SIZE_MAX);
    EXPECT_FALSE(source.watched);
}

// If this failed, replies that wait unencoded would not count against the marks (law 5).
TEST_F(OutboxTest, CountsWhatWaitsEncodedOrNot) {
    std::size_t before = 0;
    for (std::uint64_t i = 1; i < 50; ++i) {
        outbox.path({i}, answer_of(20'000), codec::PathFormat::kTurningPoints);
        EXPECT_GE(outbox.waiting_bytes(), before + 20'000);
        before = outbox.waiting_bytes();
    }
    std::size_t last_parts = 0;
    while (!outbox.empty()) {
        for (const auto& message : drain(1'000'000)) {
            last_parts += std::get<codec::PathPart>(message.body).last ? 1 : 0;
        }
    }
    EXPECT_EQ(last_parts, 49U);
    EXPECT_EQ(outbox.waiting_bytes(), 0U);
}

// Fault kind: a bound that does not count all. If this failed, a watcher that never reads would
// hold gigabytes of edits before it is closed, since terrain or masks would count for nothing.
TEST_F(OutboxTest, EditsCountWithTheirTerrainAndMasks) {
    constexpr std::size_t kPlaces = 100;
    constexpr std::size_t kBytes = 8192;
    const auto waiting_with = [&](const model::Edit& edit) {
        const std::size_t before = outbox.waiting_bytes();
        outbox.edit(
            {{1},
             {1},
             2,
             std::make_shared<model::EditBatch>(model::EditBatch{{kPlaces, edit}, {}, {}})});
        return outbox.waiting_bytes() - before;
    };
    const std::size_t bare = waiting_with(model::PlaceObstacle{{1}, {0, 0, 256, 256}});
    EXPECT_GE(bare, kPlaces * sizeof(model::Edit));
    EXPECT_EQ(waiting_with(model::PlaceObstacle{
                  {1}, {0, 0, 256, 256}, 0, std::vector<std::uint8_t>(kBytes, 255)}),
              bare + kPlaces * kBytes);
    EXPECT_EQ(
        waiting_with(model::TerrainEdit{{0, 0, 64, 128}, std::vector<model::Terrain>(kBytes, '.')}),
        bare + kPlaces * kBytes);
    outbox.drop_items();
    EXPECT_EQ(outbox.waiting_bytes(), 0U);
}

// If this failed, the parts of an army's answer would overtake one another or end twice, while the
// other replies of a slow client stand between them.
TEST_F(OutboxTest, PartsOfAGroupKeepTheirOrderAmongOthers) {
    const auto part = [](std::uint32_t first, bool last) {
        model::GroupPaths paths;
        for (std::uint32_t unit = first; unit < first + 3000; ++unit) {
            paths.units.push_back({.unit = unit, .turning_points = {{1, 2}, {1, 3}}});
        }
        return model::SurveyReply{
            .id = {5},
            .body =
                model::SurveyAnswer{1, std::make_shared<const model::SurveyResult>(
                                           model::SurveyResult{.outcome = model::Outcome::kComplete,
                                                               .expansions = 9,
                                                               .body = std::move(paths)})},
            .last = last};
    };
    model::Survey asked;
    asked.query =
        model::GroupQuery{.starts = std::vector<model::Cell>(6000), .goal = {}, .formation = {}};
    codec::SurveyAssembler assembler(asked);
    outbox.survey(part(0, false), codec::PathFormat::kTurningPoints);
    EXPECT_GE(outbox.waiting_bytes(), 3000 * sizeof(model::UnitPath));
    outbox.path({4}, answer_of(20'000), codec::PathFormat::kTurningPoints);
    outbox.survey(part(3000, true), codec::PathFormat::kTurningPoints);
    std::vector<std::uint64_t> ids;
    std::uint32_t units = 0;
    bool ended = false;
    while (!outbox.empty()) {
        for (auto& message : drain(10'000)) {
            if (ids.empty() || ids.back() != message.id.value) {
                ids.push_back(message.id.value);
            }
            if (auto* survey = std::get_if<codec::SurveyPart>(&message.body)) {
                EXPECT_FALSE(ended);
                ended = assembler.add(std::move(*survey)).value();
                const codec::SurveyReply taken = assembler.take();
                for (const auto& unit : std::get<model::GroupPaths>(taken.result.body).units) {
                    EXPECT_EQ(unit.unit, units++);
                }
            }
        }
    }
    EXPECT_EQ(ids, (std::vector<std::uint64_t>{5, 4, 5}));
    EXPECT_EQ(units, 6000U);
    EXPECT_TRUE(ended);
    EXPECT_EQ(outbox.waiting_bytes(), 0U);
}

// If this failed, the other sessions of a thread would wait while an army's answer is encoded
// whole.
TEST_F(OutboxTest, LargeAnswersAreEncodedAPieceAtATime) {
    model::GroupPaths paths;
    for (std::uint32_t unit = 0; unit < 5000; ++unit) {
        paths.units.push_back(
            {.unit = unit, .turning_points = answer_of(40).result->turning_points});
    }
    model::SurveyResult result{
        .outcome = model::Outcome::kComplete, .expansions = 9, .body = std::move(paths)};
    const model::SurveyAnswer answer{
        1, std::make_shared<const model::SurveyResult>(std::move(result))};
    outbox.survey({.id = {5}, .body = answer, .last = true}, codec::PathFormat::kTurningPoints);
    std::size_t pieces = 0;
    for (; !outbox.empty(); ++pieces) {
        const std::size_t ready = outbox.ready().size();
        EXPECT_LT(ready, Outbox::kEncodeAheadBytes + codec::kReplyPartBytesMax);
        outbox.consume(ready);
    }
    EXPECT_GT(pieces, 5U);
}

// If this failed, a closing session would keep its share of the map states for ever.
TEST_F(OutboxTest, DroppingGivesTheMapBack) {
    outbox.state({{1}, {1}, false});
    (void)outbox.ready();
    EXPECT_EQ(source.open, 1);
    outbox.drop_items();
    EXPECT_EQ(source.open, 0);
}

// If this failed, a thousand replies would wake their session a thousand times.
TEST(MailboxTest, WakesOnceABatch) {
    int wakes = 0;
    Mailbox mailbox([&] { ++wakes; });
    const model::PathReply reply{.id = {1}, .body = model::PathAnswer{}};
    const auto put = [&] { mailbox.on_reply(reply); };
    std::vector<Letter> letters;
    mailbox.expect();
    put();
    EXPECT_EQ(wakes, 0) << "the session looks anyway";
    mailbox.collect(letters);
    EXPECT_EQ(letters.size(), 1U);
    for (int i = 0; i < 1000; ++i) {
        put();
    }
    EXPECT_EQ(wakes, 1);
    mailbox.collect(letters);
    EXPECT_EQ(letters.size(), 1000U);
    put();
    EXPECT_EQ(wakes, 2);
    mailbox.close();
    put();
    mailbox.collect(letters);
    EXPECT_TRUE(letters.empty());
}

// If this failed, want of memory at one reply would end the engine's worker, or the client would
// wait for that reply for ever.
TEST(MailboxTest, ALostLetterIsKnown) {
    Mailbox mailbox([] { throw std::bad_alloc(); });
    EXPECT_FALSE(mailbox.failed());
    mailbox.on_reply({});
    EXPECT_TRUE(mailbox.failed());
}

}  // namespace
}  // namespace outrider::net
