#include <gtest/gtest.h>

#include <vector>

#include "integration/server_fixture.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/client/client.hpp"
#include "outrider/model/path.hpp"

namespace outrider::test {
namespace {

using model::Outcome;
using model::PushReason;

// What a client hears of its followed units; callbacks come on its I/O thread.
class Ear {
  public:
    [[nodiscard]] client::Follow follow() {
        return {[this](const client::PathPush& push) {
                    const base::Lock lock(mutex_);
                    pushes_.push_back(push);
                },
                [this](const client::Failure&) {
                    const base::Lock lock(mutex_);
                    ++ends_;
                }};
    }
    [[nodiscard]] std::vector<client::PathPush> pushes() const {
        const base::Lock lock(mutex_);
        return pushes_;
    }
    [[nodiscard]] bool has(std::size_t pushes) const {
        return eventually([&] { return this->pushes().size() >= pushes; });
    }
    [[nodiscard]] int ends() const {
        const base::Lock lock(mutex_);
        return ends_;
    }

  private:
    mutable base::Mutex mutex_;
    std::vector<client::PathPush> pushes_ OUTRIDER_GUARDED_BY(mutex_);
    int ends_ OUTRIDER_GUARDED_BY(mutex_){0};
};

struct ServerFollowTest : ServerTest {
    [[nodiscard]] std::unique_ptr<client::Client> connect() const {
        client::Options options;
        options.port = std::to_string(server->port());
        return client::Client::connect(options).value();
    }
    [[nodiscard]] codec::PathRequest order(std::uint64_t unit) const {
        codec::PathRequest request = across();
        request.unit = {unit};
        request.follow.emplace();
        return request;
    }
};

// If this failed, a game on the network would not hear that a wall stands on its units' way.
TEST_F(ServerFollowTest, ABrokenPathIsPushedUnderTheIdOfItsOrder) {
    start();
    Ear ear;
    const auto client = connect();
    EXPECT_EQ(client->welcome().limits.follows_max, engine_config.follows_per_client_max);
    codec::PathRequest request = order(1);
    request.format = codec::PathFormat::kCells;
    const auto followed = client->follow(request, ear.follow());
    ASSERT_TRUE(followed && followed->answer.arrived());
    const std::vector<model::Cell> cells = followed->answer.cells;
    const model::Cell wall = cells[cells.size() / 2];
    ASSERT_TRUE(client->edit(map, block(wall.x, wall.y).batch).has_value());
    ASSERT_TRUE(ear.has(1));
    const client::PathPush push = ear.pushes()[0];
    EXPECT_EQ(push.id, followed->id);
    EXPECT_EQ(push.reason, PushReason::kBroken);
    EXPECT_EQ(push.start, cells.front());
    EXPECT_EQ(push.answer.version, 2U);
    request.follow.reset();
    request.unit = {};
    const auto again = client->path(request);
    EXPECT_EQ(push.answer.cells, again->cells) << "in the format of the order";
    EXPECT_EQ(push.answer.result.path_hash, again->result.path_hash);
    EXPECT_TRUE(client->cancel(followed->id)->cancelled);
    ASSERT_TRUE(ear.has(2));
    EXPECT_EQ(ear.pushes()[1].answer.result.outcome, Outcome::kCancelled);
    EXPECT_EQ(client->counters().unexpected, 0U);
    EXPECT_EQ(ear.ends(), 0);
}

// If this failed, a march could not be told from a unit that stands still: edits behind it would
// turn it round, and its arrival would end nothing.
TEST_F(ServerFollowTest, ProgressTrimsThePathAndArrivalEndsIt) {
    start();
    Ear ear;
    const auto client = connect();
    const auto followed = client->follow(order(1), ear.follow());
    ASSERT_TRUE(followed.has_value());
    const auto cells = model::cells_of(followed->answer.result.turning_points);
    const model::Cell place = cells[cells.size() - 2];
    auto reported = client->report({{followed->id, place}, {{4711}, place}});
    ASSERT_TRUE(reported.has_value());
    EXPECT_EQ(reported->unknown_follows, (std::vector<model::RequestId>{{4711}}));
    const model::Cell behind = cells[cells.size() / 2];
    ASSERT_TRUE(client->edit(map, block(behind.x, behind.y).batch).has_value());
    reported = client->report({{followed->id, cells.back()}});
    EXPECT_TRUE(reported->unknown_follows.empty());
    ASSERT_TRUE(ear.has(1));
    EXPECT_TRUE(ear.pushes()[0].ended());
    EXPECT_EQ(ear.pushes()[0].answer.result.outcome, Outcome::kComplete);
    reported = client->report({{followed->id, cells.back()}});
    EXPECT_EQ(reported->unknown_follows.size(), 1U);
}

// If this failed, handlers of refused orders would stay for ever, or hear of other orders.
TEST_F(ServerFollowTest, ARefusedOrderIsNotFollowed) {
    engine_config.follows_per_client_max = 1;
    start();
    Ear ear;
    const auto client = connect();
    ASSERT_TRUE(client->follow(order(1), ear.follow()).has_value());
    const auto second = client->follow(order(2), ear.follow());
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().refusal->code, model::RefusalCode::kOverloaded);
    codec::PathRequest explained = order(1);
    explained.query.explain = true;
    const auto refused = client->follow(explained, ear.follow());
    EXPECT_EQ(refused.error().refusal->field, "path.explain");
    EXPECT_EQ(engine->stats().follows, 1U);
    client->close();
    EXPECT_EQ(ear.ends(), 1) << "of the one that lived";
}

// If this failed, a drained server would leave units followed that nobody follows.
TEST_F(ServerFollowTest, DrainTellsFollowersBeforeItCloses) {
    start();
    Ear ear;
    const auto client = connect();
    ASSERT_TRUE(client->follow(order(1), ear.follow()).has_value());
    server->begin_drain();
    ASSERT_TRUE(ear.has(1));
    EXPECT_TRUE(ear.pushes()[0].ended());
    EXPECT_EQ(ear.pushes()[0].failure->refusal->code, model::RefusalCode::kShuttingDown);
    EXPECT_TRUE(server->wait_closed(std::chrono::seconds(10)));
}

}  // namespace
}  // namespace outrider::test
