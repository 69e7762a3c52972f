#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "outrider/codec/assemble.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/server_codec.hpp"
#include "outrider/model/path.hpp"
#include "outrider/wire/frame.hpp"
#include "property/codec_messages.hpp"
#include "support/collect_output.hpp"
#include "support/random.hpp"

namespace outrider::codec {
namespace {

using test::CollectOutput;

// If this failed, the server would understand something else than the client said.
TEST(CodecRoundTrip, ServerReadsWhatClientWrote) {
    Random random(1);
    RequestEncoder encoder;
    RequestDecoder decoder;
    for (std::uint64_t i = 0; i < test::rounds(3000); ++i) {
        const ClientMessage message = any_message(random);
        CollectOutput out;
        encoder.encode(message, out);
        ASSERT_EQ(out.messages.size(), 1U);
        const auto decoded = decoder.decode(out.messages[0]);
        ASSERT_TRUE(decoded.has_value())
            << decoded.error().refusal.field << " " << decoded.error().refusal.message;
        ASSERT_EQ(*decoded, message);
    }
}

model::PathAnswer any_answer(Random& random, std::int64_t legs, std::int64_t explored) {
    auto result = std::make_shared<model::PathResult>();
    result->outcome = static_cast<model::Outcome>(random.between(0, 8));
    result->reason = static_cast<model::Outcome>(random.between(0, 8));
    result->algorithm = static_cast<model::Algorithm>(random.between(1, 4));
    result->cost = random.bits() >> 20U;
    result->expansions = random.bits();
    std::vector<model::Cell> cells;
    model::Cell at{4000, 4000};
    for (std::int64_t leg = 0; leg < legs; ++leg) {
        cells.push_back(at);
        const auto length = static_cast<std::int32_t>(random.between(1, 30));
        const auto x = static_cast<std::int32_t>(random.between(-1, 1));
        const auto y = static_cast<std::int32_t>(x == 0 ? 1 : random.between(-1, 1));
        at = {std::clamp(at.x + x * length, 100, 8000), std::clamp(at.y + y * length, 100, 8000)};
    }
    // Clamping may have bent a leg; what matters is that legs are straight or diagonal.
    while (!model::are_turning_points(cells)) {
        for (std::size_t i = 1; i < cells.size(); ++i) {
            if (!model::are_turning_points(std::span(cells).subspan(i - 1, 2))) {
                cells.resize(i);
            }
        }
    }
    result->turning_points = cells;
    result->path_hash = random.bits();
    for (std::int64_t i = random.between(0, 2 * legs); i > 0; --i) {
        result->smooth.points.push_back({static_cast<std::int32_t>(random.between(0, 8191 * 256)),
                                         static_cast<std::int32_t>(random.between(0, 8191 * 256))});
    }
    if (!result->smooth.points.empty()) {
        result->smooth.length = random.bits();
        result->smooth.cost = random.bits();
        result->smooth.hash = random.bits();
    }
    for (std::int64_t i = 0; i < explored; ++i) {
        result->explored.push_back({{static_cast<std::int32_t>(random.between(0, 8191)),
                                     static_cast<std::int32_t>(random.between(0, 8191))},
                                    static_cast<model::ExploredKind>(random.between(0, 2)),
                                    random.bits(),
                                    random.bits()});
    }
    return {random.bits(), result};
}

PathReply through_the_wire(const model::PathAnswer& answer, PathFormat format, std::size_t& parts) {
    ReplyEncoder encoder;
    ReplyDecoder decoder;
    PathCursor cursor({42}, answer, format);
    PathAssembler assembler;
    for (parts = 0;; ++parts) {
        EXPECT_FALSE(cursor.done());
        CollectOutput out;
        encoder.path_part(cursor, out);
        EXPECT_LE(out.messages.at(0).size(), kReplyPartBytesMax);
        auto message = decoder.decode(out.messages.at(0));
        EXPECT_TRUE(message.has_value()) << message.error().message;
        EXPECT_EQ(message->id.value, 42U);
        const auto whole = assembler.add(std::get<PathPart>(std::move(message->body)));
        EXPECT_TRUE(whole.has_value()) << whole.error().message;
        if (*whole) {
            ++parts;
            EXPECT_TRUE(cursor.done());
            return assembler.take();
        }
    }
}

// If this failed, a unit would walk another path than the server found.
TEST(CodecRoundTrip, ClientReadsThePathThatServerWrote) {
    Random random(2);
    for (std::uint64_t i = 0; i < test::rounds(60); ++i) {
        const auto answer = any_answer(random, random.between(0, 6000), random.between(0, 5000));
        const model::PathResult& result = *answer.result;
        std::size_t parts = 0;
        const PathReply reply = through_the_wire(answer, PathFormat::kTurningPoints, parts);
        EXPECT_EQ(reply.points, result.turning_points);
        EXPECT_EQ(reply.explored, result.explored);
        EXPECT_EQ(reply.head.outcome, result.outcome);
        EXPECT_EQ(reply.head.reason, result.reason);
        EXPECT_EQ(reply.head.version, answer.version);
        EXPECT_EQ(reply.head.cost, result.cost);
        EXPECT_EQ(reply.head.expansions, result.expansions);
        EXPECT_EQ(reply.head.algorithm, result.algorithm);
        EXPECT_EQ(reply.head.path_hash, result.path_hash);
        EXPECT_EQ(reply.smooth, result.smooth.points);
        EXPECT_EQ(reply.head.smooth_length, result.smooth.length);
        EXPECT_EQ(reply.head.smooth_cost, result.smooth.cost);
        EXPECT_EQ(reply.head.smooth_hash, result.smooth.hash);
        const PathReply cells = through_the_wire(answer, PathFormat::kCells, parts);
        EXPECT_EQ(cells.points, model::cells_of(result.turning_points));
    }
}

// If this failed, a followed unit would be sent along another path than the server's, or would not
// know why.
TEST(CodecRoundTrip, ClientReadsThePushThatServerWrote) {
    Random random(9);
    for (std::uint64_t i = 0; i < test::rounds(60); ++i) {
        const auto answer = any_answer(random, random.between(0, 6000), 0);
        const model::PathPush push{{42},
                                   static_cast<model::PushReason>(random.between(0, 4)),
                                   {static_cast<std::int32_t>(random.between(0, 8191)), 7},
                                   answer};
        PathCursor cursor(push, PathFormat::kTurningPoints);
        PathAssembler assembler;
        for (bool first = true; !cursor.done(); first = false) {
            CollectOutput out;
            ReplyEncoder().path_part(cursor, out);
            auto message = ReplyDecoder().decode(out.messages.at(0));
            ASSERT_TRUE(message.has_value()) << message.error().message;
            auto part = std::get<PathPushPart>(std::move(message->body));
            ASSERT_EQ(part.head.has_value(), first);
            if (first) {
                EXPECT_EQ(part.head->reason, push.reason);
                EXPECT_EQ(part.head->start, push.start);
                EXPECT_FALSE(part.head->refusal.has_value());
            }
            ASSERT_TRUE(assembler.add(std::move(part.path)).has_value());
        }
        const PathReply reply = assembler.take();
        EXPECT_EQ(reply.points, answer.result->turning_points);
        EXPECT_EQ(reply.head.version, answer.version);
        EXPECT_EQ(reply.head.path_hash, answer.result->path_hash);
    }
}

// If this failed, a unit would set out along another leg than the server's, or trust one that it
// must not.
TEST(CodecRoundTrip, ClientReadsTheFirstLegThatServerWrote) {
    Random random(10);
    const auto most = static_cast<std::int64_t>(base::limits::kFirstLegPointsMax);
    for (std::uint64_t i = 0; i < test::rounds(60); ++i) {
        const std::int64_t points = i == 0 ? most : random.between(2, most);
        model::FirstLeg leg{any_answer(random, points, 0).result->turning_points, random.bits(),
                            random.chance(50), random.bits()};
        leg.turning_points.resize(
            std::min(leg.turning_points.size(), static_cast<std::size_t>(most)));
        const model::LegPush push{
            {42}, random.bits(), std::make_shared<const model::FirstLeg>(leg)};
        CollectOutput out;
        ReplyEncoder().first_leg(push, out);
        ASSERT_LE(out.messages.at(0).size(), kReplyPartBytesMax);
        const auto message = ReplyDecoder().decode(out.messages[0]);
        ASSERT_TRUE(message.has_value()) << message.error().message;
        EXPECT_EQ(message->id.value, 42U);
        EXPECT_EQ(std::get<FirstLeg>(message->body), (FirstLeg{push.version, leg}));
    }
}

// If this failed, a part would end one point early or late where a path exactly fills it.
TEST(CodecRoundTrip, PartLimitsHoldAtBelowAndAbove) {
    auto result = std::make_shared<model::PathResult>();
    result->turning_points = {{0, 7}};
    for (const std::int32_t cells : {4095, 4096, 4097}) {
        result->turning_points.resize(1);
        result->turning_points.push_back({cells - 1, 7});
        std::size_t parts = 0;
        const PathReply reply = through_the_wire({1, result}, PathFormat::kCells, parts);
        EXPECT_EQ(reply.points.size(), static_cast<std::size_t>(cells));
        EXPECT_EQ(parts, cells > static_cast<std::int32_t>(kPointsPerPart) ? 2U : 1U);
    }
    Random random(3);
    for (const std::int64_t explored : {2047, 2048, 2049}) {
        std::size_t parts = 0;
        const auto answer = any_answer(random, 2, explored);
        EXPECT_EQ(through_the_wire(answer, PathFormat::kTurningPoints, parts).explored,
                  answer.result->explored);
        EXPECT_EQ(parts, explored > static_cast<std::int64_t>(kExploredPerPart) ? 2U : 1U);
    }
}

// If this failed, a client's mirror of a map would differ from the map.
TEST(CodecRoundTrip, ClientReadsTheMapStateThatServerWrote) {
    Random random(4);
    for (const auto& [width, height] :
         {std::pair{1, 1}, {8192, 9}, {1, 8192}, {300, 300}, {32768 / 4, 4}}) {
        MapState state;
        state.info = {.id = {5},
                      .name = "mirror",
                      .width = width,
                      .height = height,
                      .version = 9,
                      .classes = {any_class(random)},
                      .landmarks = {static_cast<model::LandmarkState>(random.between(0, 2))}};
        for (int i = 0; i < width * height; ++i) {
            state.terrain.push_back(static_cast<model::Terrain>(random.bits()));
        }
        for (std::int64_t i = random.between(0, 3000); i > 0; --i) {
            state.obstacles.push_back({{random.bits()}, any_rect(random), random.bits()});
        }
        MapStateCursor cursor({42}, state);
        MapStateAssembler assembler;
        ReplyEncoder encoder;
        for (bool whole = false; !whole;) {
            CollectOutput out;
            encoder.map_state_part(cursor, out);
            ASSERT_LE(out.messages.at(0).size(), kReplyPartBytesMax);
            auto message = ReplyDecoder().decode(out.messages.at(0));
            ASSERT_TRUE(message.has_value()) << message.error().message;
            const auto added = assembler.add(std::get<MapStatePart>(std::move(message->body)));
            ASSERT_TRUE(added.has_value()) << added.error().message;
            whole = *added;
        }
        const MapState got = assembler.take();
        EXPECT_EQ(got.info, state.info);
        EXPECT_EQ(got.terrain, state.terrain);
        EXPECT_EQ(got.obstacles, state.obstacles);
    }
}

template <class Body>
Body small_reply(const CollectOutput& out) {
    auto message = ReplyDecoder().decode(out.messages.back());
    EXPECT_TRUE(message.has_value()) << message.error().message;
    EXPECT_EQ(message->id.value, (std::is_same_v<Body, Goodbye> ? 0U : 42U));
    return std::get<Body>(message->body);
}

// If this failed, an acknowledgement, a refusal or a push would say something else at the far end.
TEST(CodecRoundTrip, ClientReadsTheSmallRepliesThatServerWrote) {
    Random random(5);
    ReplyEncoder encoder;
    CollectOutput out;
    Welcome welcome{.server_name = "outrider",
                    .limits = {1, 2, 3, 4, std::chrono::seconds(5), 6},
                    .maps = {{{1}, "a", 3, 4, 5, {any_class(random)}}}};
    encoder.welcome({42}, welcome, out);
    EXPECT_EQ(small_reply<Welcome>(out), welcome);
    encoder.list_maps({42}, welcome.maps, out);
    EXPECT_EQ(small_reply<ListMapsReply>(out).maps, welcome.maps);
    const model::Refusal refusal{model::RefusalCode::kOverloaded, "path", "later",
                                 std::chrono::milliseconds(70)};
    encoder.refusal({42}, refusal, out);
    const auto got = small_reply<model::Refusal>(out);
    EXPECT_EQ(got.code, refusal.code);
    EXPECT_EQ(got.field, refusal.field);
    EXPECT_EQ(got.message, refusal.message);
    EXPECT_EQ(got.retry_after, refusal.retry_after);
    encoder.goodbye(refusal, out);
    EXPECT_EQ(small_reply<Goodbye>(out).reason.message, "later");
    encoder.edit({42}, {7, {{8}, {9}}}, out);
    EXPECT_EQ(small_reply<EditReply>(out).version, 7U);
    EXPECT_EQ(small_reply<EditReply>(out).unknown_obstacles,
              (std::vector<model::ObstacleId>{{8}, {9}}));
    encoder.cancel({42}, true, out);
    EXPECT_TRUE(small_reply<CancelReply>(out).cancelled);
    encoder.pong({42}, 77, out);
    EXPECT_EQ(small_reply<Pong>(out).payload, 77U);
    const StatsReply stats{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    encoder.stats({42}, stats, out);
    EXPECT_EQ(small_reply<StatsReply>(out), stats);
    encoder.add_class({42}, {{3}, 4}, out);
    EXPECT_EQ(small_reply<AddClassReply>(out).id.value, 3U);
    encoder.load_map({42}, {welcome.maps.front(), {9}}, out);
    const auto loaded = small_reply<LoadMapReply>(out);
    EXPECT_EQ(loaded.info, welcome.maps.front());
    EXPECT_EQ(loaded.replaced.value, 9U);
    encoder.drop_map({42}, {8}, out);
    EXPECT_EQ(small_reply<DropMapReply>(out).map.value, 8U);
    encoder.map_dropped({42}, {{7}, {6}}, out);
    const auto dropped = small_reply<MapDropped>(out);
    EXPECT_EQ(dropped.map.value, 7U);
    EXPECT_EQ(dropped.replaced_by.value, 6U);
    encoder.unwatch({42}, out);
    (void)small_reply<UnwatchReply>(out);
    encoder.progress({42}, std::vector<model::RequestId>{{5}, {6}}, out);
    EXPECT_EQ(small_reply<ProgressReply>(out).unknown_follows,
              (std::vector<model::RequestId>{{5}, {6}}));
    encoder.refused_push({{42}, model::PushReason::kEnded, {3, 4}, std::unexpected(refusal)}, out);
    const auto push = small_reply<PathPushPart>(out);
    EXPECT_EQ(push.head.value().reason, model::PushReason::kEnded);
    EXPECT_EQ(push.head->start, (model::Cell{3, 4}));
    EXPECT_EQ(push.head->refusal.value().code, refusal.code);
    model::EditBatch batch = any_batch(random);
    batch.landmarks_of = model::ClassId{7};
    encoder.map_edited({42}, {1}, 9, batch, out);
    EXPECT_EQ(small_reply<MapEdited>(out).batch, batch);
}

// If this failed, bytes from a stranger would crash one of the two ends.
TEST(CodecGarbage, AnyBytesAreAnsweredWithAValueOrAnError) {
    Random random(6);
    RequestEncoder encoder;
    RequestDecoder requests;
    ReplyDecoder replies;
    for (std::uint64_t i = 0; i < test::rounds(3000); ++i) {
        CollectOutput out;
        encoder.encode(any_message(random), out);
        std::vector<std::byte> bytes = out.messages[0];
        for (std::int64_t flips = random.between(1, 5); flips > 0 && !bytes.empty(); --flips) {
            bytes[random.bits() % bytes.size()] = static_cast<std::byte>(random.bits());
        }
        bytes.resize(bytes.size() - random.bits() % (bytes.size() + 1) / 4);
        const auto decoded = requests.decode(bytes);
        EXPECT_TRUE(decoded || !decoded.error().refusal.message.empty());
        (void)replies.decode(bytes);
    }
}

// If this failed, a frame reader could be led out of its buffer by random bytes.
TEST(WireGarbage, RandomStreamsEndInMessagesOrOneNamedError) {
    Random random(7);
    for (std::uint64_t i = 0; i < test::rounds(300); ++i) {
        wire::FrameReader reader(100);
        std::size_t fed = 0;
        std::size_t taken = 0;
        for (int chunk = 0; chunk < 40; ++chunk) {
            const auto room = reader.prepare();
            const auto count = static_cast<std::size_t>(random.between(1, 50));
            for (std::size_t b = 0; b < count; ++b) {
                room[b] = static_cast<std::byte>(random.bits() % (random.chance(90) ? 60 : 256));
            }
            reader.commit(count);
            fed += count;
            auto next = reader.next();
            for (; next && *next; next = reader.next()) {
                taken += (*next)->size() + 1;
                ASSERT_LE((*next)->size(), 100U);
            }
            ASSERT_LE(taken, fed);
            if (!next) {
                break;
            }
        }
        ASSERT_LE(reader.capacity_bytes(), wire::kBufferBytesMin);
    }
}

}  // namespace
}  // namespace outrider::codec
