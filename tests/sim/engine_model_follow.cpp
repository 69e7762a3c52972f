#include <algorithm>

#include "outrider/model/follow.hpp"
#include "outrider/model/path.hpp"
#include "sim/engine_model.hpp"
#include "support/oracle.hpp"

namespace outrider::sim {

using model::Outcome;
using model::PushReason;
using model::RefusalCode;

namespace {

// The rest of the path from `at`, as turning points; empty when it does not pass there.
std::vector<model::Cell> rest_of(const model::PathResult& path, model::Cell at) {
    const std::vector<model::Cell> cells = model::cells_of(path.turning_points);
    const auto found = std::ranges::find(cells, at);
    return model::turning_points_of(std::vector<model::Cell>(found, cells.end()));
}

test::WeightGrid grid_of(const map::Layer& layer) {
    test::WeightGrid grid{layer.width(), layer.height(), {}};
    for (model::Cell cell; cell.y < grid.height; ++cell.y) {
        for (cell.x = 0; cell.x < grid.width; ++cell.x) {
            grid.weights.push_back(layer.weight(cell));
        }
    }
    return grid;
}

bool at_goal(const model::PathRequest& request, model::Cell cell) {
    const model::Goal& goal = request.query.goal;
    return test::distance_to(goal.rect, cell) <= model::Cost{goal.range} * model::kStraight;
}

}  // namespace

void Model::report(test::Random& random) {
    Client* client = any_client(random);
    if (client == nullptr || client->follows.empty()) {
        return;
    }
    auto found = client->follows.begin();
    std::advance(found, random.between(0, std::ssize(client->follows) - 1));
    Followed& followed = found->second;
    const std::vector<model::Cell> ahead =
        model::cells_of(rest_of(*followed.answer.result, followed.at));
    model::Cell cell{static_cast<std::int32_t>(random.between(-1, width_)),
                     static_cast<std::int32_t>(random.between(-1, height_))};
    if (!ahead.empty() && random.chance(80)) {
        cell = ahead[static_cast<std::size_t>(random.between(0, std::ssize(ahead) - 1))];
    }
    const model::Progress progress{{found->first}, cell};
    const bool inside = model::Rect{0, 0, width_, height_}.contains(cell);
    if (inside) {
        followed.at = cell;
    }
    EXPECT_EQ(engine_->report(client->id, {&progress, 1}).empty(), inside);
}

void Model::on_push(Client& client, const model::PathPush& push) {
    EXPECT_TRUE(client.connected) << "a push after disconnect";
    const auto found = client.follows.find(push.id.value);
    ASSERT_NE(found, client.follows.end()) << "a push to nobody";
    Followed& followed = found->second;
    if (push.reason == PushReason::kEnded) {
        check_end(followed, push);
        client.follows.erase(found);
        return;
    }
    ASSERT_TRUE(push.body.has_value());
    EXPECT_FALSE(followed.cancelled || followed.superseded);
    EXPECT_FALSE(draining_) << "draining ends every follow";
    check_push(followed, push);
    check_news(followed, push);
    followed.answer = *push.body;
}

void Model::check_push(const Followed& followed, const model::PathPush& push) {
    model::PathQuery query = followed.request.query;
    query.start = push.start;
    const model::PathResult& path = *push.body->result;
    ASSERT_LT(push.body->version, versions_.size());
    const model::PathResult best = alone(query, push.body->version);
    const std::uint32_t percent = followed.request.follow->repair_percent;
    // A mend may be under way already when the unit strays, and go through the cell where it
    // stands.
    if (percent == 0 || path == best) {
        EXPECT_EQ(path, best);
        return;
    }
    ++mended_;
    EXPECT_EQ(path.outcome, Outcome::kComplete);
    EXPECT_LE(path.bound_percent, percent);
    const map::Layer& layer = *layer_of(query, push.body->version);
    const test::WeightGrid grid = grid_of(layer);
    const test::Mover mover = test::mover_of(layer.movement_class());
    EXPECT_EQ(test::fault_of_path(grid, mover, query, path), "");
    const test::Expected optimum = test::ask_oracle(grid, mover, query);
    EXPECT_EQ(optimum.outcome, Outcome::kComplete);
    EXPECT_LE(path.cost * 100, optimum.cost * path.bound_percent);
}

void Model::check_end(const Followed& followed, const model::PathPush& push) const {
    if (!push.body) {
        EXPECT_EQ(push.body.error().code,
                  swapping_ ? RefusalCode::kUnknownMap : RefusalCode::kShuttingDown);
        EXPECT_TRUE(draining_ || ending_ || swapping_);
        return;
    }
    EXPECT_TRUE(push.body->result->turning_points.empty());
    switch (push.body->result->outcome) {
        case Outcome::kComplete: EXPECT_TRUE(at_goal(followed.request, followed.at)); break;
        case Outcome::kCancelled: EXPECT_TRUE(followed.cancelled); break;
        case Outcome::kSuperseded: EXPECT_TRUE(followed.superseded); break;
        default: ADD_FAILURE() << name_of(push.body->result->outcome);
    }
}

void Model::check_news(const Followed& followed, const model::PathPush& push) {
    const model::PathResult& fresh = *push.body->result;
    const model::PathResult& old = *followed.answer.result;
    const bool passes = fresh.turning_points.empty() ? push.start == followed.at
                                                     : !rest_of(fresh, followed.at).empty();
    EXPECT_TRUE(passes) << "the unit is not on its new path";
    if (push.reason == PushReason::kStrayed) {
        return;
    }
    // What a unit sees that ignores an obstacle is known for the answer's version alone.
    const model::Version version =
        followed.request.query.ignore_obstacle ? push.body->version : versions_.size() - 1;
    const auto old_cost = rest_cost(followed, old, version);
    const auto fresh_cost = rest_cost(followed, fresh, version);
    if (push.reason == PushReason::kBroken) {
        EXPECT_FALSE(old_cost.has_value()) << "the old path still stands";
        return;
    }
    EXPECT_NE(fresh, old);
    if (old.outcome == Outcome::kComplete) {
        EXPECT_EQ(fresh.outcome, Outcome::kComplete);
        EXPECT_TRUE(push.reason == PushReason::kDearer || followed.request.follow->improve);
        ASSERT_TRUE(old_cost && fresh_cost);
        EXPECT_LT(*fresh_cost, *old_cost) << "flapping";
    }
}

std::optional<model::Cost> Model::rest_cost(const Followed& followed, const model::PathResult& path,
                                            model::Version version) {
    const std::shared_ptr<const map::Layer> seen = layer_of(followed.request.query, version);
    const map::Layer& layer = *seen;
    model::PathResult rest;
    rest.outcome = Outcome::kPartial;
    rest.turning_points = rest_of(path, followed.at);
    if (rest.turning_points.empty()) {
        return std::nullopt;
    }
    const test::WeightGrid grid = grid_of(layer);
    if (!grid.open(followed.at) && !followed.request.query.leave_blocked_start) {
        return std::nullopt;
    }
    rest.path_hash = model::path_hash(rest.turning_points);
    model::PathQuery query = followed.request.query;
    query.start = followed.at;
    // The oracle's walk says what is wrong; the cost alone is for us to add up.
    const std::vector<model::Cell> cells = model::cells_of(rest.turning_points);
    const auto weight = [&](model::Cell cell) {
        return model::Cost{grid.open(cell) ? grid.at(cell) : layer.weight_min()};
    };
    for (std::size_t i = 1; i < cells.size(); ++i) {
        const bool diagonal = cells[i].x != cells[i - 1].x && cells[i].y != cells[i - 1].y;
        rest.cost += (weight(cells[i]) + weight(cells[i - 1])) *
                     (diagonal ? model::kDiagonal : model::kStraight);
    }
    const std::string fault =
        test::fault_of_path(grid, test::mover_of(layer.movement_class()), query, rest);
    return fault.empty() ? std::optional(rest.cost) : std::nullopt;
}

void Model::check_followed_at_rest() {
    for (const auto& client : clients_) {
        for (const auto& [id, followed] : client->follows) {
            const model::PathResult& path = *followed.answer.result;
            model::PathQuery query = followed.request.query;
            query.start = followed.at;
            const model::PathResult best = alone(query, versions_.size() - 1);
            // An edit may also bring a goal within the budget that no rule foresees.
            if (best.outcome == Outcome::kBudget || path.outcome == Outcome::kBudget) {
                continue;
            }
            const auto cost = rest_cost(followed, path, versions_.size() - 1);
            if (path.outcome != Outcome::kComplete) {
                EXPECT_NE(best.outcome, Outcome::kComplete)
                    << "nobody told " << id << " of the way after " << name_of(path.outcome);
            }
            EXPECT_TRUE(path.turning_points.empty() || cost) << id << " walks into a wall";
            // What is left of a mended path is not promised to be within any bound. And a replan
            // may have run out of its budget, so that the old path stayed, where with the
            // landmarks of a later version the search would have come to its end.
            const bool optimal = path.bound_percent == 100 && query.expansions_max == 0 &&
                                 config_.expansions_max >= kAmpleExpansions;
            if (path.outcome == Outcome::kComplete && followed.request.follow->improve && cost &&
                optimal) {
                EXPECT_EQ(*cost, best.cost) << "a better way opened and nobody told " << id;
            }
        }
    }
}

std::size_t Model::follows_of(const Client& client) const {
    const auto stays = [](const auto& followed) { return !followed.second.superseded; };
    const auto begins = [](const auto& asked) {
        return asked.second.request.follow.has_value() && !asked.second.superseded;
    };
    return static_cast<std::size_t>(std::ranges::count_if(client.follows, stays) +
                                    std::ranges::count_if(client.open, begins));
}

std::size_t Model::follows_total() const {
    std::size_t total = 0;
    for (const auto& client : clients_) {
        total += follows_of(*client);
    }
    return total;
}

}  // namespace outrider::sim
