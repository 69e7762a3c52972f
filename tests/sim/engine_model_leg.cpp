#include <algorithm>

#include "outrider/model/path.hpp"
#include "sim/engine_model.hpp"

namespace outrider::sim {

void Model::on_leg(Client& client, const model::LegPush& push) {
    EXPECT_TRUE(client.connected) << "a first leg after disconnect";
    ++legs_;
    const auto found = client.open.find(push.id.value);
    const bool newcomer = found == client.open.end();
    ASSERT_TRUE(!newcomer || (client.submitting && client.submitting->request.id == push.id))
        << "a first leg for nobody, or after the reply";
    Asked& asked = newcomer ? *client.submitting : found->second;
    EXPECT_FALSE(asked.leg.has_value()) << "a second first leg";
    EXPECT_TRUE(asked.request.first_leg && asked.valid && !asked.duplicate);
    // What waits in the box while its request is cancelled or superseded still goes out before the
    // end; once the end is out, there is no request any more.
    asked.leg = push;
    EXPECT_GE(push.version, asked.version_before) << "led on a map that was gone";
    ASSERT_LT(push.version, versions_.size());
    EXPECT_EQ(*push.leg, leg_alone(asked.request.query, push.version));
}

void Model::check_leg(const Asked& asked, const model::PathAnswer& answer) {
    const model::PathResult& result = *answer.result;
    using model::Outcome;
    if (result.outcome == Outcome::kDeadline || result.outcome == Outcome::kCancelled ||
        result.outcome == Outcome::kSuperseded) {
        return;
    }
    if (asked.leg && asked.leg->leg->binding && asked.leg->version == answer.version &&
        result.outcome != Outcome::kBudget) {
        const auto cells = model::cells_of(result.turning_points);
        const auto leg = model::cells_of(asked.leg->leg->turning_points);
        ASSERT_LE(leg.size(), cells.size());
        EXPECT_TRUE(std::equal(leg.begin(), leg.end(), cells.begin()))
            << "the path does not begin with its first leg";
    }
    const bool is_long = asked.request.query.smoothing.grade == model::Grade::kNone &&
                         result.expansions > config_.first_leg_after;
    if (asked.request.first_leg && is_long && !asked.leg) {
        EXPECT_EQ(leg_alone(asked.request.query, answer.version), std::nullopt)
            << "a long search told nobody where its path begins";
    }
}

std::optional<model::FirstLeg> Model::leg_alone(model::PathQuery query, model::Version version) {
    const std::uint64_t cap = config_.expansions_max;
    query.expansions_max = query.expansions_max == 0 ? cap : std::min(query.expansions_max, cap);
    const bool on_its_way = query.algorithm == model::Algorithm::kFast;
    const std::shared_ptr<const map::Layer> layer = layer_of(query, version);
    if (!on_its_way) {
        const auto leading = search::first_leg_query(
            *layer, query, std::min(config_.first_leg_expansions_max, query.expansions_max));
        if (!leading) {
            return std::nullopt;
        }
        query = *leading;
    }
    search::Search search;
    search.start(*layer, query, *buffers_);
    while (search.step(~std::uint64_t{0}) == search::Step::kRunning && !search.first_leg()) {
    }
    auto leg = search.first_leg();
    if (leg && !on_its_way) {
        leg->binding = false;
        leg->expansions = config_.first_leg_after + search.expansions();
    }
    return leg;
}

}  // namespace outrider::sim
