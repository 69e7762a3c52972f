#include "sim/engine_model.hpp"

#include <algorithm>

namespace outrider::sim {

using model::Outcome;
using model::RefusalCode;
using std::chrono::milliseconds;

class Model::Sink final : public engine::Sink {
  public:
    Sink(Model& model, Client& client) : model_(model), client_(client) {}
    void on_reply(model::PathReply reply) override { model_.on_reply(client_, reply); }
    void on_survey(model::SurveyReply reply) override { model_.on_survey(client_, reply); }
    void on_leg(model::LegPush push) override { model_.on_leg(client_, push); }
    void on_push(model::PathPush push) override { model_.on_push(client_, push); }
    void on_edit(model::MapId, model::Version version,
                 std::shared_ptr<const model::EditBatch>) override {
        EXPECT_EQ(version, ++client_.watched) << "a batch was missed or came twice";
        model_.follow_landmarks();
    }
    void on_map_dropped(model::MapId map, model::MapId successor) override {
        model_.on_map_dropped(client_, map, successor);
    }

  private:
    Model& model_;
    Client& client_;
};

namespace {

engine::Config random_config(test::Random& random) {
    const auto between = [&random](std::int64_t low, std::int64_t high) {
        return static_cast<std::size_t>(random.between(low, high));
    };
    engine::Config config;
    config.workers = 0;
    config.requests_max = between(1, 12);
    config.requests_per_client_max = between(1, 8);
    config.clients_max = between(1, 4) + kWatchers;
    config.follows_max = between(1, 10);
    config.follows_per_client_max = between(1, 6);
    config.suspended_max = between(1, 3);
    config.snapshots_per_map_max = between(2, 4);
    config.expansions_per_slice = between(1, 60);
    config.first_leg_after = between(1, 40);
    config.first_leg_expansions_max = random.chance(20) ? between(1, 300) : 16384;
    config.expansions_max = random.chance(20) ? between(1, 200) : kAmpleExpansions;
    config.cache_bytes_max = random.chance(50) ? 0 : between(200, 5000);
    config.ageing_step = milliseconds(random.between(1, 300));
    config.landmark_cells_min = random.chance(60) ? 1 : 1'000'000;
    config.landmark_calm = milliseconds(random.between(1, 50));
    return config;
}

bool is_final_word_of_time(Outcome outcome) {
    return outcome == Outcome::kDeadline || outcome == Outcome::kCancelled ||
           outcome == Outcome::kSuperseded;
}

}  // namespace

Model::Model(test::Random& random) : config_(random_config(random)) {
    engine_ = *engine::Engine::create(config_, clock_);
    const map::Grid grid = any_grid(random);
    begin_on(*engine_->add_map("map", grid, classes()), grid);
    connect_watcher();
}

void Model::connect() {
    auto client = std::make_unique<Client>();
    const auto id = engine_->connect(std::make_shared<Sink>(*this, *client));
    const auto connected = static_cast<std::size_t>(
        std::ranges::count_if(clients_, [](const auto& known) { return known->connected; }));
    ASSERT_EQ(id.has_value(), connected + kWatchers < config_.clients_max);
    if (id) {
        client->id = *id;
        client->watched = engine_->watch(*id, map_)->version;
        clients_.push_back(std::move(client));
    }
}

void Model::disconnect(test::Random& random) {
    if (Client* client = any_client(random)) {
        client->connected = false;
        client->open.clear();
        client->surveys.clear();
        client->follows.clear();
        engine_->disconnect(client->id);
    }
}

void Model::submit(test::Random& random) {
    Client* client = any_client(random);
    if (client == nullptr) {
        return;
    }
    Asked asked{.request = any_request(random)};
    asked.version_before = versions_.size() - 1;
    asked.valid = search::validate(*versions_.back(), asked.request.query).has_value();
    asked.after_drain = draining_;
    asked.duplicate = client->uses(asked.request.id.value);
    if (asked.valid && !asked.duplicate && !draining_) {
        mark_superseded(*client, asked.request);
    }
    // Superseded requests leave before the newcomer is counted.
    const auto stays = [](const auto& entry) { return !entry.second.superseded; };
    const auto staying = static_cast<std::size_t>(std::ranges::count_if(client->open, stays));
    asked.open_total = open_total() - (client->open.size() - staying);
    asked.open_of_client = staying + client->surveys.size();
    asked.follows_of_client = follows_of(*client);
    asked.follows_total = follows_total();
    client->submitting = asked;
    engine_->submit(client->id, asked.request);
    // A refused order supersedes nothing.
    for (auto& [id, followed] : client->follows) {
        followed.superseded = false;
    }
    for (auto& [id, other] : client->open) {
        other.superseded = false;
    }
    if (client->submitting) {
        EXPECT_LT(asked.open_total, config_.requests_max);
        EXPECT_LT(asked.open_of_client, config_.requests_per_client_max);
        client->open.emplace(asked.request.id.value, *client->submitting);
        client->submitting.reset();
    }
}

void Model::cancel(test::Random& random) {
    if (Client* client = any_client(random)) {
        const auto id = static_cast<std::uint64_t>(random.between(1, 15));
        const auto found = client->open.find(id);
        const bool open = found != client->open.end();
        if (open) {
            found->second.cancelled = true;
        }
        const auto followed = client->follows.find(id);
        const bool follows = !open && followed != client->follows.end();
        if (follows) {
            followed->second.cancelled = true;
        }
        const auto survey = client->surveys.find(id);
        const bool surveys = survey != client->surveys.end();
        if (surveys) {
            survey->second.cancelled = true;
        }
        EXPECT_EQ(engine_->cancel(client->id, {id}), open || follows || surveys);
        EXPECT_FALSE(client->uses(id));
    }
}

void Model::edit(test::Random& random) {
    const auto rect = [&] {
        return model::Rect{static_cast<std::int32_t>(random.between(-1, width_)),
                           static_cast<std::int32_t>(random.between(-1, height_)),
                           static_cast<std::int32_t>(random.between(1, 4)),
                           static_cast<std::int32_t>(random.between(1, 4))};
    };
    model::EditBatch batch;
    for (std::int64_t i = random.between(1, 3); i > 0; --i) {
        const auto id = static_cast<std::uint64_t>(random.between(1, 4));
        switch (random.between(0, 2)) {
            case 0:
                batch.edits.push_back(
                    model::TerrainEdit{rect(),
                                       {static_cast<model::Terrain>(random.chance(50)   ? '.'
                                                                    : random.chance(60) ? '@'
                                                                                        : 'C')}});
                break;
            case 1: batch.edits.push_back(model::PlaceObstacle{{id}, rect(), 0}); break;
            default: batch.edits.push_back(model::RemoveObstacle{{id}}); break;
        }
    }
    const auto expected = mirror_->apply(batch);
    keep_version();
    const auto receipt = engine_->edit(map_, batch);
    ASSERT_TRUE(receipt.has_value());
    ASSERT_EQ(receipt->version, expected->version);
    ASSERT_EQ(receipt->version, versions_.size() - 1);
    alive_.push_back(engine_->snapshot(map_));
    std::erase_if(alive_, [](const auto& snapshot) { return snapshot.expired(); });
}

void Model::run(std::chrono::microseconds budget) {
    const std::uint64_t slices = engine_->stats().slices;
    const bool work_before = engine_->stats().queued + engine_->stats().suspended > 0;
    const bool work_left = engine_->run_for(budget);
    follow_landmarks();
    const engine::Stats stats = engine_->stats();
    EXPECT_EQ(work_left, stats.queued + stats.suspended > 0);
    // Either a slice was done or every waiting request had run out of time.
    EXPECT_TRUE(!work_before || stats.slices > slices || !work_left);
    EXPECT_TRUE(budget.count() == 0 || !work_left);
    EXPECT_TRUE(budget.count() > 0 || stats.slices <= slices + 1);
    // Whose time has passed is answered, but for the suspended ones whose path is still to be read.
    EXPECT_LE(late_requests(), config_.suspended_max);
}

void Model::run_to_the_end() {
    while (engine_->run_for(milliseconds(1))) {
        follow_landmarks();
    }
    follow_landmarks();
    EXPECT_EQ(open_total(), 0U);
    EXPECT_EQ(engine_->drained(), true);
    check_followed_at_rest();
}

void Model::begin_drain() {
    draining_ = true;
    engine_->begin_drain();
}

void Model::end() {
    const engine::Stats stats = engine_->stats();
    EXPECT_EQ(stats.submitted,
              stats.answered + stats.refused + stats.dropped_by_disconnect + open_total());
    ending_ = true;
    engine_.reset();
    EXPECT_EQ(open_total(), 0U) << "the end lost a request";
    EXPECT_EQ(follows_total(), 0U) << "the end left somebody followed";
}

void Model::check_bounds() {
    const engine::Stats stats = engine_->stats();
    EXPECT_LE(open_total(), config_.requests_max);
    EXPECT_LE(stats.suspended, config_.suspended_max + 1);
    EXPECT_LE(stats.views, config_.suspended_max + 1);
    EXPECT_LE(stats.cache_bytes, config_.cache_bytes_max);
    EXPECT_LE(stats.queued + stats.suspended, open_total() + follows_total());
    EXPECT_EQ(stats.follows, follows_total());
    EXPECT_LE(stats.follows, config_.follows_max);
    EXPECT_LE(stats.clients, config_.clients_max);
    EXPECT_EQ(stats.running, 0U);
    const auto alive =
        std::ranges::count_if(alive_, [](const auto& snapshot) { return !snapshot.expired(); });
    EXPECT_LE(static_cast<std::size_t>(alive), config_.snapshots_per_map_max);
}

Model::Client* Model::any_client(test::Random& random) {
    std::vector<Client*> connected;
    for (const auto& client : clients_) {
        if (client->connected) {
            connected.push_back(client.get());
        }
    }
    return connected.empty()
               ? nullptr
               : connected[static_cast<std::size_t>(random.between(0, std::ssize(connected) - 1))];
}

model::PathRequest Model::any_request(test::Random& random) {
    const auto cell = [&] {
        const int out = random.chance(2) ? 1 : 0;
        return model::Cell{static_cast<std::int32_t>(random.between(-out, width_ - 1 + out)),
                           static_cast<std::int32_t>(random.between(-out, height_ - 1 + out))};
    };
    model::PathRequest request;
    request.id = {static_cast<std::uint64_t>(random.between(1, 15))};
    request.map = map_;
    request.query.start = cell();
    const model::Cell goal = cell();
    request.query.goal.rect = {goal.x, goal.y, 1, 1};
    if (random.chance(30)) {
        // Few questions, so that some are joined or known.
        request.query.start = {0, 0};
        request.query.goal.rect = {width_ - 1, height_ - 1, 1, 1};
    }
    request.query.algorithm =
        random.chance(40) ? model::Algorithm::kDijkstra : model::Algorithm::kAuto;
    if (random.chance(20)) {
        request.query.algorithm = model::Algorithm::kFast;
    }
    request.first_leg = random.chance(60);
    request.query.allow_partial = random.chance(40);
    request.query.leave_blocked_start = random.chance(40);
    request.query.expansions_max =
        random.chance(20) ? static_cast<std::uint64_t>(random.between(1, 100)) : 0;
    request.priority = static_cast<model::Priority>(random.between(0, 3));
    if (random.chance(30)) {
        request.deadline = clock_.now() + std::chrono::microseconds(random.between(0, 500'000));
    }
    request.unit = {static_cast<std::uint64_t>(random.between(0, 3))};
    request.query.movement_class = {static_cast<std::uint16_t>(random.between(0, 1))};
    if (random.chance(30)) {
        request.query.ignore_obstacle = {{static_cast<std::uint64_t>(random.between(1, 5))}};
    }
    if (random.chance(40)) {
        const auto percent = static_cast<std::uint32_t>(random.between(100, 200));
        request.follow = model::FollowOptions{.improve = random.chance(50),
                                              .repair_percent = random.chance(50) ? percent : 0};
    } else if (random.chance(30)) {
        request.query.smoothing.grade = static_cast<model::Grade>(random.between(0, 2));
    }
    return request;
}

std::size_t Model::open_total() const {
    std::size_t total = 0;
    for (const auto& client : clients_) {
        total += client->open.size() + client->surveys.size();
    }
    return total;
}

void Model::mark_superseded(Client& client, const model::PathRequest& request) {
    for (auto& [id, asked] : client.open) {
        if (request.unit != model::UnitId{} && asked.request.unit == request.unit) {
            asked.superseded = true;
        }
    }
    for (auto& [id, followed] : client.follows) {
        if (request.unit != model::UnitId{} && followed.request.unit == request.unit) {
            followed.superseded = true;
        }
    }
}

void Model::on_reply(Client& client, const model::PathReply& reply) {
    EXPECT_TRUE(client.connected) << "a reply after disconnect";
    const auto found = client.open.find(reply.id.value);
    // What is in flight is answered before what is being submitted, unless that is a duplicate.
    const bool newcomer = client.submitting && client.submitting->request.id == reply.id &&
                          (client.submitting->duplicate || found == client.open.end());
    ASSERT_TRUE(newcomer || found != client.open.end()) << "a reply that nobody waits for";
    const Asked asked = newcomer ? *client.submitting : found->second;
    if (newcomer) {
        client.submitting.reset();
    } else {
        client.open.erase(found);
    }
    if (reply.body) {
        check_answer(asked, *reply.body);
        if (reply.searched) {
            check_leg(asked, *reply.body);
        }
        if (asked.request.follow && !is_final_word_of_time(reply.body->result->outcome)) {
            client.follows[reply.id.value] = {asked.request, asked.request.query.start,
                                              *reply.body};
        }
    } else {
        check_refusal(asked, reply.body.error());
    }
    ++checked_;
}

void Model::check_answer(const Asked& asked, const model::PathAnswer& answer) {
    EXPECT_TRUE(asked.valid && !asked.duplicate && !asked.after_drain);
    EXPECT_GE(answer.version, asked.version_before) << "answered on a map that was gone";
    ASSERT_LT(answer.version, versions_.size());
    ASSERT_NE(answer.result, nullptr);
    const Outcome outcome = answer.result->outcome;
    EXPECT_EQ(outcome == Outcome::kCancelled, asked.cancelled);
    EXPECT_EQ(outcome == Outcome::kSuperseded, asked.superseded && !asked.cancelled);
    if (outcome == Outcome::kDeadline) {
        EXPECT_TRUE(asked.request.deadline && *asked.request.deadline <= clock_.now());
    }
    EXPECT_NE(answer.result->algorithm, model::Algorithm::kAuto);
    if (!is_final_word_of_time(outcome)) {
        check_same_as_alone(asked.request.query, answer);
    }
}

void Model::check_refusal(const Asked& asked, const model::Refusal& refusal) const {
    switch (refusal.code) {
        case RefusalCode::kShuttingDown: EXPECT_TRUE(asked.after_drain || ending_); break;
        case RefusalCode::kOutOfBounds: EXPECT_FALSE(asked.valid); break;
        case RefusalCode::kInvalidArgument: EXPECT_TRUE(!asked.valid || asked.duplicate); break;
        case RefusalCode::kOverloaded:
            EXPECT_TRUE(asked.open_total >= config_.requests_max ||
                        asked.open_of_client >= config_.requests_per_client_max ||
                        (asked.request.follow &&
                         (asked.follows_total >= config_.follows_max ||
                          asked.follows_of_client >= config_.follows_per_client_max)));
            EXPECT_EQ(refusal.retry_after, config_.retry_after);
            break;
        case RefusalCode::kUnknownMap: EXPECT_TRUE(swapping_ && asked.valid); break;
        default: ADD_FAILURE() << name_of(refusal.code) << ": " << refusal.message;
    }
}

}  // namespace outrider::sim
