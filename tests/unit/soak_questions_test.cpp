#include <gtest/gtest.h>

#include "outrider/map/map_file.hpp"
#include "outrider/map/store.hpp"
#include "outrider/model/path.hpp"
#include "outrider/search/survey.hpp"
#include "soak/questions.hpp"

namespace outrider::soak {
namespace {

// Two units to one goal over open ground, which has several equally cheap ways for each.
struct OpenField : testing::Test {
    std::unique_ptr<map::Store> store =
        map::Store::create(
            map::parse_map("type octile\nheight 3\nwidth 5\nmap\n.....\n.....\n@....\n", "field")
                .value(),
            {model::ground_class()})
            .value();
    std::shared_ptr<const map::Snapshot> snapshot = store->snapshot();
    const map::Layer& layer = *snapshot->layer({0});
    model::Survey group =
        asked(model::GroupQuery{.starts = {{0, 0}, {1, 1}}, .goal = {{4, 1}}, .formation = {}});
    model::Survey nearest =
        asked(model::NearestQuery{.start = {0, 0}, .goals = {{{4, 1}}}, .count = 1});

    template <class Query>
    static model::Survey asked(Query query) {
        model::Survey survey;
        survey.query = std::move(query);
        return survey;
    }
    template <class Way>
    static void lead(Way& way, std::vector<model::Cell> points) {
        way.turning_points = std::move(points);
        way.path_hash = model::path_hash(way.turning_points);
    }
    [[nodiscard]] model::SurveyResult group_answer() const { return search::run(layer, group); }
    static model::UnitPath& unit(model::SurveyResult& answer, std::uint32_t number) {
        auto& units = std::get<model::GroupPaths>(answer.body).units;
        return *std::ranges::find(units, number, &model::UnitPath::unit);
    }
};

// If this failed, a soak on a large map would blame a server whose landmarks lead it another way.
TEST_F(OpenField, AnotherWayOfTheSameCostIsRight) {
    for (const std::int32_t bend : {1, 2, 3, 4}) {
        std::vector<model::Cell> way{{0, 0}};
        if (bend > 1) {
            way.push_back({bend - 1, 0});
        }
        way.push_back({bend, 1});
        if (bend < 4) {
            way.push_back({4, 1});
        }
        model::SurveyResult answer = group_answer();
        lead(unit(answer, 0), way);
        EXPECT_EQ(fault_of(layer, group, answer), std::nullopt) << "bend at " << bend;
        answer = search::run(layer, nearest);
        lead(std::get<model::NearestGoals>(answer.body).goals.at(0), way);
        EXPECT_EQ(fault_of(layer, nearest, answer), std::nullopt) << "bend at " << bend;
    }
}

// If this failed, a soak would call any answer right.
TEST_F(OpenField, AWayThatIsLongerOrLeadsElsewhereIsWrong) {
    const auto is_wrong = [this](auto spoil) {
        model::SurveyResult answer = group_answer();
        spoil(answer);
        return fault_of(layer, group, answer).has_value();
    };
    EXPECT_FALSE(is_wrong([](model::SurveyResult&) {}));
    EXPECT_TRUE(is_wrong([](auto& answer) { lead(unit(answer, 0), {{0, 0}, {4, 0}, {4, 1}}); }));
    EXPECT_TRUE(is_wrong([](auto& answer) { lead(unit(answer, 0), {{0, 0}, {1, 1}, {3, 1}}); }));
    EXPECT_TRUE(is_wrong([](auto& answer) { lead(unit(answer, 1), {{0, 1}, {4, 1}}); }));
    EXPECT_TRUE(is_wrong([](auto& answer) { ++unit(answer, 0).path_hash; }));
    EXPECT_TRUE(is_wrong([](auto& answer) { ++unit(answer, 0).cost; }));
    EXPECT_TRUE(is_wrong([](auto& answer) { unit(answer, 1).unit = 2; }));
    EXPECT_TRUE(is_wrong([](auto& answer) {
        std::get<model::GroupPaths>(answer.body).units.pop_back();
    })) << "a unit got no answer";
}

}  // namespace
}  // namespace outrider::soak
