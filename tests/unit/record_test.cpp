#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "record/recording_reader.hpp"
#include "record/recording_writer.hpp"
#include "record/tap.hpp"
#include "support/frame_output.hpp"

namespace outrider::record {
namespace {

using test::FrameOutput;
using testing::ElementsAre;
using testing::HasSubstr;

const RecordedMap kMap{{3}, "drawn"};

// Requests and replies as they pass, and the file that comes of it.
class RecordTest : public testing::Test {
  protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) /
                  (std::string("outrider_record_") + info->name() + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        file_ = (folder_ / "match.rec").string();
        auto writer = RecordingWriter::create(
            file_, false, {.program_version = "1", .map = kMap.id, .map_name = kMap.name});
        ASSERT_TRUE(writer) << writer.error().message;
        writer_ = std::move(*writer);
        tap_ = std::make_unique<Tap>(*writer_, kMap, 7);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    static codec::PathRequest request(std::int32_t x) {
        codec::PathRequest request;
        request.map = kMap.id;
        request.query.start = {x, 0};
        request.query.goal = {{9, 9, 1, 1}, 0};
        return request;
    }
    wire::Bytes asked(std::uint64_t id, const codec::PathRequest& request) {
        requests_.encode({{id}, request}, out_);
        return out_.take();
    }
    wire::Bytes answered(std::uint64_t id, model::Version version, std::size_t points = 2) {
        model::PathResult result;
        result.outcome = result.reason = model::Outcome::kComplete;
        result.algorithm = model::Algorithm::kJps;
        result.cost = 100 * id;
        result.path_hash = id;
        for (std::size_t i = 0; i < points; ++i) {
            result.turning_points.push_back({static_cast<std::int32_t>(i % 2), 0});
        }
        codec::PathCursor cursor({id}, {version, std::make_shared<const model::PathResult>(result)},
                                 codec::PathFormat::kTurningPoints);
        while (!cursor.done()) {
            replies_.path_part(cursor, out_);
        }
        return out_.take();
    }
    wire::Bytes refused(std::uint64_t id) {
        replies_.refusal({id}, {model::RefusalCode::kOverloaded, "", "busy", {}}, out_);
        return out_.take();
    }
    void client_sends(const wire::Bytes& bytes) { tap_->from_client(bytes); }
    void server_sends(const wire::Bytes& bytes) { tap_->from_server(bytes); }

    // "id version outcome" of each recorded path, in the order of the file.
    std::vector<std::string> recorded() {
        writer_->flush();
        std::ifstream in(file_, std::ios::binary);
        RecordingReader reader(in, file_);
        std::vector<std::string> paths;
        for (auto next = reader.next(); next && *next; next = reader.next()) {
            const auto* path = std::get_if<codec::RecordedPath>(&(*next)->record);
            if (path != nullptr) {
                EXPECT_EQ(path->connection, 7U);
                paths.push_back(std::to_string(path->id.value) + " " + end_of(*path));
                last_ = *path;
            }
        }
        return paths;
    }
    static std::string end_of(const codec::RecordedPath& path) {
        if (const auto* head = std::get_if<codec::PathHead>(&path.end)) {
            return std::to_string(head->version) + " " + std::string(model::name_of(head->outcome));
        }
        return std::holds_alternative<model::Refusal>(path.end) ? "refused" : "unanswered";
    }

    std::filesystem::path folder_;
    std::string file_;
    std::unique_ptr<RecordingWriter> writer_;
    std::unique_ptr<Tap> tap_;
    FrameOutput out_;
    codec::RequestEncoder requests_;
    codec::ReplyEncoder replies_;
    std::optional<codec::RecordedPath> last_;
};

TEST_F(RecordTest, EachRequestMeetsItsOwnReply) {
    // If this failed, a replay would compare one unit's path with another unit's question.
    client_sends(asked(1, request(1)));
    client_sends(asked(2, request(2)));
    client_sends(asked(3, request(3)));
    server_sends(answered(3, 5));
    server_sends(refused(1));
    server_sends(answered(2, 4));
    EXPECT_THAT(recorded(), ElementsAre("3 5 COMPLETE", "1 refused", "2 4 COMPLETE"));
    EXPECT_EQ(last_->request, request(2));
    const auto& head = std::get<codec::PathHead>(last_->end);
    EXPECT_EQ(head.cost, 200U);
    EXPECT_EQ(head.path_hash, 2U);
    EXPECT_EQ(writer_->counts().named, 5U);
}

TEST_F(RecordTest, AnyCutsOfTheStreamsGiveTheSameRecords) {
    // If this failed, what a recording holds would depend on how TCP cut its packets.
    const wire::Bytes question = asked(1, request(1));
    const wire::Bytes answer = answered(1, 2);
    for (const std::byte& byte : question) {
        tap_->from_client({&byte, 1});
    }
    for (const std::byte& byte : answer) {
        tap_->from_server({&byte, 1});
    }
    EXPECT_THAT(recorded(), ElementsAre("1 2 COMPLETE"));
}

TEST_F(RecordTest, ALongReplyIsOneRecordWithoutItsCells) {
    // If this failed, long paths would stand twice in a recording, or blow it up.
    client_sends(asked(1, request(1)));
    server_sends(answered(1, 2, 3 * codec::kPointsPerPart));
    client_sends(asked(1, request(4)));
    server_sends(answered(1, 3));
    EXPECT_THAT(recorded(), ElementsAre("1 2 COMPLETE", "1 3 COMPLETE"));
    EXPECT_LT(writer_->counts().bytes, 400U);
}

TEST_F(RecordTest, OnlyTheMapsOwnRequestsAreRecorded) {
    // If this failed, requests for another map would be replayed on this one.
    codec::PathRequest other = request(1);
    other.map = {4};
    codec::PathRequest named = request(2);
    named.map = {};
    named.map_name = kMap.name;
    codec::PathRequest other_named = named;
    other_named.map_name = "other";
    client_sends(asked(1, other));
    client_sends(asked(2, named));
    client_sends(asked(3, other_named));
    requests_.encode({{4}, codec::Ping{1}}, out_);
    client_sends(out_.take());
    for (const std::uint64_t id : {1U, 2U, 3U}) {
        server_sends(answered(id, 1));
    }
    replies_.pong({4}, 1, out_);
    server_sends(out_.take());
    EXPECT_THAT(recorded(), ElementsAre("2 1 COMPLETE"));
    EXPECT_EQ(writer_->counts().unrecorded, 0U);
}

TEST_F(RecordTest, WhatIsOpenWhenTheConnectionEndsIsUnanswered) {
    // If this failed, the very request that brought a server down would be missing.
    client_sends(asked(9, request(1)));
    client_sends(asked(2, request(2)));
    client_sends(asked(5, request(3)));
    server_sends(answered(5, 1));
    tap_->end();
    EXPECT_THAT(recorded(), ElementsAre("5 1 COMPLETE", "2 unanswered", "9 unanswered"));
}

TEST_F(RecordTest, AnIdUsedTwiceAtATimeIsCountedAndNotGuessed) {
    // If this failed, a client's own fault would be reported as the server's wrong answer.
    client_sends(asked(1, request(1)));
    client_sends(asked(1, request(2)));
    client_sends(asked(2, request(3)));
    server_sends(refused(1));
    server_sends(answered(2, 1));
    server_sends(answered(1, 1));
    client_sends(asked(1, request(4)));
    server_sends(answered(1, 2));
    EXPECT_THAT(recorded(), ElementsAre("2 1 COMPLETE", "1 2 COMPLETE"));
    EXPECT_EQ(writer_->counts().unrecorded, 2U);
}

TEST_F(RecordTest, AStreamThatIsNotMadeOfFramesIsNotRead) {
    // If this failed, a broken client could make up records, or stop the recorder.
    client_sends(asked(1, request(1)));
    client_sends(wire::Bytes(16, std::byte{0xFF}));
    client_sends(asked(2, request(2)));
    server_sends(answered(1, 1));
    tap_->end();
    EXPECT_THAT(recorded(), ElementsAre());
    EXPECT_EQ(writer_->counts().unrecorded, 1U);
}

TEST_F(RecordTest, ARequestKnowsTheNewestVersionBeforeIt) {
    // If this failed, answers from the past could not be told from right ones (law 2).
    writer_->map_state({{kMap.id, kMap.name, 1, 1, 4, {model::ground_class()}}, {'.'}, {}});
    client_sends(asked(1, request(1)));
    writer_->map_edited({kMap.id, 5, {{model::RemoveObstacle{{1}}}}});
    server_sends(answered(1, 4));
    EXPECT_THAT(recorded(), ElementsAre("1 4 COMPLETE"));
    EXPECT_EQ(last_->version_floor, 4U);
    client_sends(asked(2, request(1)));
    server_sends(answered(2, 5));
    (void)recorded();
    EXPECT_EQ(last_->version_floor, 5U);
}

TEST_F(RecordTest, NoMoreRequestsAreKeptThanTheLimitSays) {
    // If this failed, a server that never answers would fill the recorder's memory.
    for (std::uint64_t id = 1; id <= kOpenRequestsMax + 1; ++id) {
        client_sends(asked(id, request(1)));
    }
    EXPECT_EQ(writer_->counts().unrecorded, 1U);
    server_sends(answered(1, 1));
    client_sends(asked(kOpenRequestsMax + 2, request(1)));
    EXPECT_EQ(writer_->counts().unrecorded, 1U);
}

TEST_F(RecordTest, AnExistingFileIsKept) {
    // If this failed, starting the recorder again would destroy the match that somebody waits for.
    writer_->flush();
    const auto size = std::filesystem::file_size(file_);
    const auto again = RecordingWriter::create(file_, false, {});
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr(file_));
    EXPECT_EQ(std::filesystem::file_size(file_), size);
    EXPECT_TRUE(RecordingWriter::create(file_, true, {}));
    EXPECT_THAT(RecordingWriter::create(folder_.string() + "/no/file", false, {}).error().message,
                HasSubstr("cannot write"));
}

TEST_F(RecordTest, AFullDiskIsToldAtOnce) {
    // If this failed, a match would be played to its end and nothing of it be on the disk.
    const auto full = RecordingWriter::create("/dev/full", true, {});
    ASSERT_FALSE(full);
    EXPECT_THAT(full.error().message, HasSubstr("/dev/full"));
}

TEST_F(RecordTest, TheEndSaysHowMuchThereIs) {
    // If this failed, nobody could tell a whole recording from the first half of one.
    client_sends(asked(1, request(1)));
    server_sends(answered(1, 1));
    writer_->count_unrecorded(2);
    writer_->finish();
    std::ifstream in(file_, std::ios::binary);
    RecordingReader reader(in, file_);
    std::optional<codec::RecordingEnd> end;
    for (auto next = reader.next(); next && *next; next = reader.next()) {
        EXPECT_FALSE(end);
        if (const auto* found = std::get_if<codec::RecordingEnd>(&(*next)->record)) {
            end = *found;
        }
    }
    ASSERT_TRUE(end);
    EXPECT_EQ(*end, (codec::RecordingEnd{1, 2}));
    EXPECT_EQ(reader.torn_bytes(), 0U);
}

TEST_F(RecordTest, ARecordIsFoundAgainAtItsPlace) {
    // If this failed, a replay would read another request than the one that it is about.
    for (std::uint64_t id = 1; id <= 300; ++id) {
        client_sends(asked(id, request(static_cast<std::int32_t>(id))));
        server_sends(answered(id, id));
    }
    writer_->flush();
    std::ifstream in(file_, std::ios::binary);
    RecordingReader reader(in, file_);
    std::vector<Place> places;
    for (auto next = reader.next(); next && *next; next = reader.next()) {
        places.push_back((*next)->place);
    }
    ASSERT_EQ(places.size(), 301U);
    for (const std::size_t index : {std::size_t{300}, std::size_t{1}, std::size_t{150}}) {
        const auto record = reader.at(places[index]);
        ASSERT_TRUE(record) << record.error().message;
        EXPECT_EQ(std::get<codec::RecordedPath>(*record).id.value, index);
    }
    const auto gone = reader.at({999, std::filesystem::file_size(file_)});
    ASSERT_FALSE(gone);
    EXPECT_THAT(gone.error().message, HasSubstr("record 999"));
}

}  // namespace
}  // namespace outrider::record
