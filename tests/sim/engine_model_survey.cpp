#include <algorithm>
#include <iterator>

#include "outrider/search/survey.hpp"
#include "sim/engine_model.hpp"

namespace outrider::sim {

using model::Outcome;
using model::RefusalCode;

std::size_t Model::late_requests() const {
    std::size_t late = 0;
    for (const auto& client : clients_) {
        late +=
            static_cast<std::size_t>(std::ranges::count_if(client->open, [&](const auto& entry) {
                const auto& deadline = entry.second.request.deadline;
                return deadline && *deadline <= clock_.now();
            }));
        for (const auto& [id, asked] : client->surveys) {
            late += asked.request.deadline && *asked.request.deadline <= clock_.now() ? 1 : 0;
        }
    }
    return late;
}

model::SurveyRequest Model::any_survey(test::Random& random) {
    const auto cell = [&] {
        const int out = random.chance(1) ? 1 : 0;
        return model::Cell{static_cast<std::int32_t>(random.between(-out, width_ - 1 + out)),
                           static_cast<std::int32_t>(random.between(-out, height_ - 1 + out))};
    };
    const auto cells = [&](std::int64_t most) {
        std::vector<model::Cell> some;
        std::generate_n(std::back_inserter(some), random.between(1, most), cell);
        return some;
    };
    const auto goal = [&] {
        const model::Cell at = cell();
        return model::Goal{{at.x, at.y, 1, 1}, static_cast<std::uint32_t>(random.between(0, 2))};
    };
    model::SurveyRequest request;
    request.id = {static_cast<std::uint64_t>(random.between(1, 15))};
    request.map = map_;
    const bool leave = random.chance(40);
    switch (random.between(0, 6)) {
        case 0:
            request.survey.query = model::ReachQuery{
                cells(3), static_cast<model::Cost>(random.between(0, 200'000)), true, leave};
            break;
        case 1:
            request.survey.query = model::NearestQuery{cell(), {goal(), goal(), goal()}, 2, leave};
            break;
        case 2: request.survey.query = model::MatrixQuery{cells(4), cells(4)}; break;
        case 3:
            request.survey.query = model::FieldQuery{goal(), {0, 0, width_, height_}, true};
            break;
        case 4: request.survey.query = model::ConnectedQuery{cell(), goal(), leave}; break;
        default:
            request.survey.query = model::GroupQuery{
                cells(40), goal(), random.chance(30), {}, random.chance(40), leave};
            break;
    }
    request.survey.movement_class = {static_cast<std::uint16_t>(random.between(0, 1))};
    request.survey.expansions_max =
        random.chance(20) ? static_cast<std::uint64_t>(random.between(1, 100)) : 0;
    request.priority = static_cast<model::Priority>(random.between(0, 3));
    if (random.chance(30)) {
        request.deadline = clock_.now() + std::chrono::microseconds(random.between(0, 500'000));
    }
    return request;
}

void Model::submit_survey(test::Random& random) {
    Client* client = any_client(random);
    if (client == nullptr) {
        return;
    }
    AskedSurvey asked;
    asked.request = any_survey(random);
    const std::uint64_t id = asked.request.id.value;
    asked.version_before = versions_.size() - 1;
    asked.valid = search::validate(*versions_.back(), asked.request.survey).has_value();
    asked.after_drain = draining_;
    asked.duplicate = client->uses(id);
    asked.open_total = open_total();
    asked.open_of_client = client->open.size() + client->surveys.size();
    client->submitting_survey = asked;
    engine_->submit(client->id, asked.request);
    if (client->submitting_survey) {
        EXPECT_LT(asked.open_total, config_.requests_max);
        EXPECT_LT(asked.open_of_client, config_.requests_per_client_max);
        client->surveys.emplace(id, asked);
        client->submitting_survey.reset();
    }
}

void Model::on_survey(Client& client, const model::SurveyReply& reply) {
    EXPECT_TRUE(client.connected) << "a reply after disconnect";
    const auto found = client.surveys.find(reply.id.value);
    const auto& fresh = client.submitting_survey;
    const bool newcomer = fresh && fresh->request.id == reply.id &&
                          (fresh->duplicate || found == client.surveys.end());
    ASSERT_TRUE(newcomer || found != client.surveys.end()) << "a reply that nobody waits for";
    if (!reply.last) {
        ASSERT_TRUE(!newcomer && reply.body.has_value());
        found->second.parts.push_back(reply);
        return;
    }
    const AskedSurvey asked = newcomer ? *client.submitting_survey : found->second;
    if (newcomer) {
        client.submitting_survey.reset();
    } else {
        client.surveys.erase(found);
    }
    if (reply.body) {
        check_survey(asked, reply);
    } else {
        check_survey_refusal(asked, reply.body.error());
    }
    ++checked_;
}

void Model::check_survey(const AskedSurvey& asked, const model::SurveyReply& last) {
    EXPECT_TRUE(asked.valid && !asked.duplicate && !asked.after_drain);
    const model::Version version = last.body->version;
    EXPECT_GE(version, asked.version_before) << "answered on a map that was gone";
    ASSERT_LT(version, versions_.size());
    model::SurveyResult whole = *last.body->result;
    model::Survey alone = asked.request.survey;
    const std::uint64_t cap = config_.expansions_max;
    alone.expansions_max = alone.expansions_max == 0 ? cap : std::min(alone.expansions_max, cap);
    model::SurveyResult expected =
        search::run(*versions_[version]->layer(alone.movement_class), alone);
    if (auto* paths = std::get_if<model::GroupPaths>(&whole.body)) {
        std::vector<model::UnitPath> units;
        for (const model::SurveyReply& part : asked.parts) {
            EXPECT_EQ(part.body->version, version) << "one answer, two maps";
            const auto& some = std::get<model::GroupPaths>(part.body->result->body).units;
            units.insert(units.end(), some.begin(), some.end());
        }
        const auto& all = std::get<model::GroupPaths>(expected.body).units;
        // What was sent before the end, whatever that was, is the beginning of the whole.
        ASSERT_LE(units.size(), all.size());
        EXPECT_TRUE(std::equal(units.begin(), units.end(), all.begin()));
        units.insert(units.end(), paths->units.begin(), paths->units.end());
        paths->units = std::move(units);
    } else {
        EXPECT_TRUE(asked.parts.empty());
    }
    EXPECT_EQ(whole.outcome == Outcome::kCancelled, asked.cancelled);
    if (whole.outcome == Outcome::kDeadline) {
        EXPECT_TRUE(asked.request.deadline && *asked.request.deadline <= clock_.now());
    } else if (whole.outcome != Outcome::kCancelled) {
        EXPECT_EQ(whole, expected) << name_of(alone);
    }
}

void Model::check_survey_refusal(const AskedSurvey& asked, const model::Refusal& refusal) const {
    switch (refusal.code) {
        case RefusalCode::kShuttingDown: EXPECT_TRUE(asked.after_drain || ending_); break;
        case RefusalCode::kOutOfBounds: EXPECT_FALSE(asked.valid); break;
        case RefusalCode::kInvalidArgument: EXPECT_TRUE(!asked.valid || asked.duplicate); break;
        case RefusalCode::kOverloaded:
            EXPECT_TRUE(asked.open_total >= config_.requests_max ||
                        asked.open_of_client >= config_.requests_per_client_max);
            break;
        case RefusalCode::kUnknownMap: EXPECT_TRUE(swapping_ && asked.valid); break;
        default: ADD_FAILURE() << name_of(refusal.code) << ": " << refusal.message;
    }
}

}  // namespace outrider::sim
