#include <gtest/gtest.h>

#include <algorithm>

#include "outrider/map/change.hpp"
#include "outrider/map/store.hpp"
#include "support/random.hpp"
#include "support/random_maps.hpp"

namespace outrider::map {
namespace {

using model::PlaceObstacle;
using model::Rect;
using model::RemoveObstacle;

struct Edited {
    Edited(Grid grid, std::vector<model::MovementClass> classes)
        : store(Store::create(std::move(grid), std::move(classes)).value()) {}

    const Change& after(model::EditBatch batch) {
        const auto before = store->snapshot();
        EXPECT_TRUE(store->apply(std::move(batch)).has_value());
        change = change_between(*before, *store->snapshot());
        return change;
    }
    Change change;
    std::unique_ptr<Store> store;
};

Grid open_grid(std::int32_t side) {
    return {side, side,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(side) * static_cast<std::size_t>(side), '.')};
}

model::MovementClass class_of_team(std::uint8_t team) {
    model::MovementClass who = model::ground_class();
    who.name = "team " + std::to_string(team);
    who.team = team;
    return who;
}

bool differs(const Layer& before, const Layer& after, model::Cell cell) {
    return before.weight(cell) != after.weight(cell);
}

// If this failed, a path through the place that a moved building left, or came to, would be kept.
TEST(Change, NamesOldAndNewPlaceOfAMovedObstacle) {
    Edited edited(open_grid(32), {model::ground_class()});
    EXPECT_EQ(edited.after({{PlaceObstacle{{1}, {-2, 3, 4, 4}}}}).rects,
              (std::vector<Rect>{{0, 3, 2, 4}}));
    const Change moved = edited.after({{PlaceObstacle{{1}, {20, 20, 4, 4}}}});
    EXPECT_EQ(moved.version, 3U);
    EXPECT_EQ(moved.rects, (std::vector<Rect>{{0, 3, 2, 4}, {20, 20, 4, 4}}));
    EXPECT_EQ(moved.classes, 1U);
}

// If this failed, every gate that opens would cost all players their cached paths.
TEST(Change, NamesOnlyTheClassesThatSeeIt) {
    Edited edited(open_grid(32), {class_of_team(1), class_of_team(2), class_of_team(0)});
    const std::uint64_t owner = 1U << 2U;
    EXPECT_EQ(edited.after({{PlaceObstacle{{1}, {4, 4, 2, 2}, owner}}}).classes, 0b101U);
    EXPECT_EQ(edited.after({{PlaceObstacle{{2}, {4, 4, 2, 2}, 0}}}).classes, 0b010U);
    EXPECT_EQ(edited.after({{RemoveObstacle{{7}}}}).classes, 0U) << "unknown";
    EXPECT_TRUE(edited.change.rects.empty());
    const auto before = edited.store->snapshot();
    ASSERT_TRUE(edited.store->add_class(class_of_team(3)).has_value());
    const Change added = change_between(*before, *edited.store->snapshot());
    EXPECT_EQ(added.classes, 0b1000U);
    EXPECT_EQ(added.renewed, 0U) << "it has no answers yet";
    EXPECT_EQ(added.version, 5U);
}

// If this failed, a cell could change of which nobody is told, or a huge batch would be told in
// more words than anybody listens to.
TEST(Change, CoversEveryCellThatDiffers) {
    test::Random random(11);
    for (std::uint64_t round = 0; round < test::rounds(40); ++round) {
        const Grid grid = test::random_map(random);
        Edited edited(grid, {test::random_class(random)});
        for (int edit = 0; edit < 6; ++edit) {
            const auto before = edited.store->snapshot();
            model::EditBatch batch = test::random_batch(random, grid);
            for (int more = random.chance(20) ? 60 : 0; more > 0; --more) {
                const model::EditBatch next = test::random_batch(random, grid);
                batch.edits.insert(batch.edits.end(), next.edits.begin(), next.edits.end());
            }
            const Change& change = edited.after(std::move(batch));
            const auto after = edited.store->snapshot();
            EXPECT_LE(change.rects.size(), kChangeRectsMax);
            const Layer& a = *before->layer({0});
            const Layer& b = *after->layer({0});
            const std::int32_t more = a.movement_class().footprint - 1;
            for (model::Cell at{0, 0}; at.y < grid.height; ++at.y) {
                for (at.x = 0; at.x < grid.width; ++at.x) {
                    const bool told = std::ranges::any_of(change.rects, [&](const Rect& rect) {
                        return Rect{rect.x - more, rect.y - more, rect.width + more,
                                    rect.height + more}
                            .contains(at);
                    });
                    ASSERT_TRUE(!differs(a, b, at) || (told && change.classes == 1U))
                        << at.x << ", " << at.y << " in round " << round;
                }
            }
        }
    }
}

}  // namespace
}  // namespace outrider::map
