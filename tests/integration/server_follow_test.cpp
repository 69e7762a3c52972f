#include <gtest/gtest.h>

#include <future>
#include <thread>
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

// Watches a map in process and holds whoever edits it, until it is let go.
class Holder final : public engine::Sink {
  public:
    void on_reply(model::PathReply) override {}
    void on_edit(model::MapId, model::Version, std::shared_ptr<const model::EditBatch>) override {
        const base::Lock lock(mutex_);
        holds_ = true;
        while (!released_) {
            changed_.wait(mutex_);
        }
    }
    [[nodiscard]] bool holds() const {
        return eventually([&] {
            const base::Lock lock(mutex_);
            return holds_;
        });
    }
    void release() {
        const base::Lock lock(mutex_);
        released_ = true;
        changed_.notify_all();
    }

  private:
    mutable base::Mutex mutex_;
    base::Condition changed_;
    bool holds_ OUTRIDER_GUARDED_BY(mutex_){false};
    bool released_ OUTRIDER_GUARDED_BY(mutex_){false};
};

// If this failed, a session whose thread hears of the drain before the engine does would close at
// once, and its units would never hear that nobody follows them. Here the thread that accepts is
// held, and the drain with it, while the follower's thread goes on.
TEST_F(ServerFollowTest, ASessionThatHearsOfTheDrainFirstWaitsForTheEndsOfItsFollows) {
    net_config.io_threads = 2;
    start();
    Ear ear;
    const auto client = connect();  // on the second thread
    ASSERT_TRUE(client->follow(order(1), ear.follow()).has_value());
    const model::MapId field = add_field(4);
    const auto holder = std::make_shared<Holder>();
    ASSERT_TRUE(engine->watch(engine->connect(holder).value(), field).has_value());
    const auto builder = connect();  // on the first, which accepts
    codec::EditRequest edit = block(1, 1);
    builder->edit(field, std::move(edit.batch), [](const auto&) {});
    const bool held = holder->holds();
    std::thread drain([this] { server->begin_drain(); });
    const auto refused = [&] {
        const auto answer = client->map_state(map);
        return !answer && answer.error().kind == client::FailureKind::kRefused &&
               answer.error().refusal->code == model::RefusalCode::kShuttingDown;
    };
    const bool heard = eventually(refused);
    const bool still_open = refused();
    holder->release();
    drain.join();
    EXPECT_TRUE(held && heard && still_open);
    ASSERT_TRUE(ear.has(1));
    EXPECT_TRUE(ear.pushes()[0].ended());
    EXPECT_EQ(ear.pushes()[0].failure->refusal->code, model::RefusalCode::kShuttingDown);
    EXPECT_TRUE(server->wait_closed(std::chrono::seconds(10)));
}

// If this failed, a unit whose first path is on its way when the server drains would be told of the
// path and not that nobody keeps it alive.
TEST_F(ServerFollowTest, AFollowThatBeginsDuringTheDrainIsAnsweredAndEnded) {
    const auto holder = std::make_shared<Holder>();
    engine_config.before_slice = [holder](const model::PathQuery&) { holder->on_edit({}, 0, {}); };
    start();
    Ear ear;
    const auto client = connect();
    std::promise<client::Result<client::PathAnswer>> answered;
    client->follow(order(1), ear.follow(),
                   [&](client::Result<client::PathAnswer> answer) { answered.set_value(answer); });
    const bool held = holder->holds();
    server->begin_drain();
    holder->release();
    EXPECT_TRUE(held);
    EXPECT_TRUE(answered.get_future().get()->arrived());
    ASSERT_TRUE(ear.has(1));
    EXPECT_EQ(ear.pushes()[0].failure->refusal->code, model::RefusalCode::kShuttingDown);
    EXPECT_TRUE(server->wait_closed(std::chrono::seconds(10)));
}

}  // namespace
}  // namespace outrider::test
