#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "integration/server_fixture.hpp"
#include "outrider/base/mutex.hpp"
#include "outrider/client/client.hpp"
#include "outrider/model/path.hpp"

namespace outrider::test {
namespace {

constexpr std::int32_t kSide = 400;

// What came of a call, in order; callbacks come on the client's thread.
struct Heard {
    [[nodiscard]] client::PathCall call(codec::PathRequest request) {
        return {std::move(request),
                [this](const client::Result<client::PathAnswer>& result) {
                    const base::Lock lock(mutex);
                    EXPECT_TRUE(result.has_value());
                    answer = result.value();
                },
                std::nullopt,
                [this](const client::FirstLeg& leg) {
                    const base::Lock lock(mutex);
                    EXPECT_FALSE(answer.has_value()) << "the leg came after the path";
                    legs.push_back(leg);
                }};
    }
    [[nodiscard]] bool answered() const {
        const base::Lock lock(mutex);
        return answer.has_value();
    }
    [[nodiscard]] bool led() const {
        const base::Lock lock(mutex);
        return !legs.empty();
    }

    mutable base::Mutex mutex;
    std::optional<client::PathAnswer> answer OUTRIDER_GUARDED_BY(mutex);
    std::vector<client::FirstLeg> legs OUTRIDER_GUARDED_BY(mutex);
};

struct ServerLegTest : ServerTest {
    // A field that Dijkstra looks at whole, and a client.
    void begin() {
        engine_config.expansions_per_slice = 256;
        start();
        field = add_field(kSide);
        connect();
    }
    void connect() {
        client::Options options;
        options.port = std::to_string(server->port());
        client = client::Client::connect(options).value();
    }
    [[nodiscard]] codec::PathRequest far(std::int32_t row) const {
        codec::PathRequest request;
        request.map = field;
        request.query.start = {0, row};
        request.query.goal.rect = {kSide - 1, kSide - 1, 1, 1};
        request.query.algorithm = model::Algorithm::kDijkstra;
        request.first_leg = true;
        return request;
    }
    [[nodiscard]] model::RequestId ask_far(Heard& heard, std::int32_t row) const {
        std::vector<client::PathCall> calls;
        calls.push_back(heard.call(far(row)));
        return client->paths(std::move(calls));
    }

    model::MapId field;
    std::unique_ptr<client::Client> client;
};

// If this failed, a player's unit would stand about until its whole path is there.
TEST_F(ServerLegTest, TheFirstLegComesOverTheWireBeforeThePath) {
    begin();
    Heard heard;
    const model::RequestId id = ask_far(heard, 0);
    ASSERT_TRUE(eventually([&] { return heard.answered(); }));
    const base::Lock lock(heard.mutex);
    ASSERT_EQ(heard.legs.size(), 1U);
    EXPECT_EQ(heard.legs[0].id, id);
    EXPECT_EQ(heard.legs[0].version, heard.answer->version);
    EXPECT_EQ(heard.legs[0].leg.turning_points.front(), (model::Cell{0, 0}));
    EXPECT_FALSE(heard.legs[0].leg.binding);
    EXPECT_TRUE(heard.answer->arrived());
    EXPECT_EQ(client->counters().unexpected, 0U);
}

// If this failed, a unit that was sent elsewhere would walk on as it was told before, or the
// client would take the message for one of nobody.
TEST_F(ServerLegTest, AfterACancelNothingComes) {
    begin();
    Heard heard;
    const model::RequestId id = ask_far(heard, 1);
    ASSERT_TRUE(client->cancel(id).has_value());
    ASSERT_TRUE(eventually([&] { return heard.answered(); }));
    ASSERT_TRUE(client->path(across()).has_value());
    EXPECT_EQ(client->counters().unexpected, 0U);
}

// If this failed, a server that shuts down would leave units standing, or lose their paths.
TEST_F(ServerLegTest, ADrainingServerStillLeadsWhomItAccepted) {
    begin();
    std::vector<Heard> heard(4);
    std::vector<client::PathCall> calls;
    for (std::size_t i = 0; i < heard.size(); ++i) {
        calls.push_back(heard[i].call(far(static_cast<std::int32_t>(i))));
    }
    client->paths(std::move(calls));
    ASSERT_TRUE(eventually([&] { return heard[0].led(); }));
    server->begin_drain();
    for (const Heard& one : heard) {
        EXPECT_TRUE(eventually([&] { return one.answered(); }));
        EXPECT_TRUE(one.led());
    }
}

// If this failed, a client's copy of the map could not tell which of several equal paths is due.
TEST_F(ServerLegTest, MapsSayWhetherTheirLandmarksAreReady) {
    engine_config.workers = 0;
    start();
    field = add_field(128);
    connect();
    const auto state_of = [&](model::MapId id) {
        const auto state = client->map_state(id);
        return state->info.landmarks.at(0);
    };
    EXPECT_EQ(state_of(map), model::LandmarkState::kNone) << "too small";
    EXPECT_EQ(state_of(field), model::LandmarkState::kPending);
    base::Mutex mutex;
    std::vector<codec::MapEdited> edits;
    client::Watch watch;
    watch.on_edit = [&](const codec::MapEdited& edited) {
        const base::Lock lock(mutex);
        edits.push_back(edited);
    };
    ASSERT_TRUE(client->watch(field, std::move(watch)).has_value());
    while (engine->map_info(field)->landmarks.at(0) != model::LandmarkState::kReady) {
        (void)engine->run_for(std::chrono::milliseconds(50));
    }
    EXPECT_EQ(state_of(field), model::LandmarkState::kReady);
    ASSERT_TRUE(eventually([&] {
        const base::Lock lock(mutex);
        return edits.size() == 1;
    }));
    EXPECT_EQ(edits[0].batch.landmarks_of, model::ClassId{0});
    EXPECT_EQ(client->list_maps()->maps.at(1).landmarks.at(0), model::LandmarkState::kReady);
    client.reset();
}

}  // namespace
}  // namespace outrider::test
