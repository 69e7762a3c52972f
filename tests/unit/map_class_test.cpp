// Movement classes and sizes that a store accepts.

#include <gtest/gtest.h>

#include "outrider/base/limits.hpp"
#include "outrider/map/store.hpp"

namespace outrider::map {
namespace {

namespace limits = base::limits;

Grid open_grid(std::int32_t width, std::int32_t height) {
    return {width, height,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '.')};
}

model::MovementClass named(const std::string& name) {
    model::MovementClass movement_class = model::ground_class();
    movement_class.name = name;
    return movement_class;
}

// If this failed, a class that no plane can be made for would reach the kernels.
TEST(MovementClasses, AreCheckedFieldByField) {
    const auto field = [](auto change) {
        model::MovementClass movement_class = model::ground_class();
        change(movement_class);
        const auto status = check_class(movement_class);
        return status ? "fine" : status.error().field;
    };
    using Class = model::MovementClass;
    EXPECT_EQ(field([](Class&) {}), "fine");
    EXPECT_EQ(field([](Class& c) { c.name = ""; }), "movement_class.name");
    EXPECT_EQ(field([](Class& c) { c.name = "red\x1b[31m"; }), "movement_class.name");
    EXPECT_EQ(field([](Class& c) { c.name = "two\nlines"; }), "movement_class.name");
    EXPECT_EQ(field([](Class& c) { c.name.assign(limits::kNameBytesMax - 1, 'x'); }), "fine");
    EXPECT_EQ(field([](Class& c) { c.name.assign(limits::kNameBytesMax, 'x'); }), "fine");
    EXPECT_EQ(field([](Class& c) { c.name.assign(limits::kNameBytesMax + 1, 'x'); }),
              "movement_class.name");
    EXPECT_EQ(field([](Class& c) { c.weights.fill(0); }), "movement_class.weights");
    EXPECT_EQ(field([](Class& c) { c.footprint = 0; }), "movement_class.footprint");
    EXPECT_EQ(field([](Class& c) { c.footprint = limits::kFootprintMax - 1; }), "fine");
    EXPECT_EQ(field([](Class& c) { c.footprint = limits::kFootprintMax; }), "fine");
    EXPECT_EQ(field([](Class& c) { c.footprint = limits::kFootprintMax + 1; }),
              "movement_class.footprint");
    EXPECT_EQ(field([](Class& c) { c.team = limits::kTeamMax - 1; }), "fine");
    EXPECT_EQ(field([](Class& c) { c.team = limits::kTeamMax; }), "fine");
    EXPECT_EQ(field([](Class& c) { c.team = limits::kTeamMax + 1; }), "movement_class.team");
    EXPECT_EQ(field([](Class& c) { c.directions = model::Directions{6}; }),
              "movement_class.directions");
    EXPECT_EQ(field([](Class& c) { c.corner_rule = model::CornerRule{3}; }),
              "movement_class.corner_rule");
}

// If this failed, a client that registers its class on every connect would fill the map with
// copies, or change a class under the feet of others.
TEST(MovementClasses, AreAddedOnce) {
    const auto store = Store::create(open_grid(4, 4), {named("first")}).value();
    const auto known = store->add_class(named("first"));
    ASSERT_TRUE(known.has_value());
    EXPECT_EQ(known->first.value, 0);
    EXPECT_EQ(known->second, 1U);
    const auto fresh = store->add_class(named("second"));
    ASSERT_TRUE(fresh.has_value());
    EXPECT_EQ(fresh->first.value, 1);
    EXPECT_EQ(fresh->second, 2U);
    EXPECT_EQ(store->snapshot()->class_count(), 2);
    EXPECT_EQ(store->snapshot()->layer({2}), nullptr);
    model::MovementClass other = named("first");
    other.footprint = 2;
    ASSERT_FALSE(store->add_class(other).has_value());
    EXPECT_EQ(store->add_class(other).error().field, "movement_class.name");
}

// If this failed, classes could eat the memory of the server.
TEST(MovementClasses, EndAtTheirLimit) {
    const auto store = Store::create(open_grid(4, 4), {named("0")}).value();
    for (std::size_t i = 1; i < limits::kClassesPerMapMax; ++i) {
        ASSERT_TRUE(store->add_class(named(std::to_string(i))).has_value());
    }
    EXPECT_FALSE(store->add_class(named("one more")).has_value());
    EXPECT_TRUE(store->add_class(named("3")).has_value()) << "a known one is no new one";

    std::vector<model::MovementClass> classes;
    for (std::size_t i = 0; i < limits::kClassesPerMapMax; ++i) {
        classes.push_back(named(std::to_string(i)));
    }
    EXPECT_TRUE(Store::create(open_grid(4, 4), classes).has_value());
    classes.push_back(named("one more"));
    EXPECT_FALSE(Store::create(open_grid(4, 4), classes).has_value());
    EXPECT_FALSE(Store::create(open_grid(4, 4), {}).has_value());
    EXPECT_FALSE(Store::create(open_grid(4, 4), {named("a"), named("a")}).has_value());
}

// Kind K7#81. If this failed, a map of an unusual shape would be refused or wrongly indexed.
TEST(MapSize, SidesEndAtTheLimit) {
    const auto accepted = [](std::int32_t width, std::int32_t height) {
        return Store::create(open_grid(width, height), {model::ground_class()}).has_value();
    };
    EXPECT_TRUE(accepted(1, 1));
    EXPECT_FALSE(accepted(0, 4));
    EXPECT_FALSE(accepted(4, 0));
    for (const std::int32_t side : {limits::kMapSideMax - 1, limits::kMapSideMax}) {
        EXPECT_TRUE(accepted(side, 2));
        EXPECT_TRUE(accepted(2, side));
    }
    EXPECT_FALSE(accepted(limits::kMapSideMax + 1, 1));
    EXPECT_FALSE(accepted(1, limits::kMapSideMax + 1));
    Grid wrong = open_grid(3, 3);
    wrong.terrain.pop_back();
    EXPECT_FALSE(Store::create(wrong, {model::ground_class()}).has_value());
}

// If this failed, an edit could change which kernel answers a class's requests.
TEST(MovementClasses, KernelChoiceDependsOnTheClassAlone) {
    const auto store =
        Store::create(open_grid(70, 5), {model::ground_class(), model::terrain_class()}).value();
    const auto snapshot = store->snapshot();
    const Layer& ground = *snapshot->layer({0});
    const Layer& terrain = *snapshot->layer({1});
    EXPECT_TRUE(ground.uniform());
    EXPECT_TRUE(ground.has_stops());
    EXPECT_EQ(ground.weights().elements(), 0U);
    EXPECT_EQ(ground.weight_min(), 10);
    EXPECT_FALSE(terrain.uniform()) << "though the map has one terrain";
    EXPECT_FALSE(terrain.has_stops());
    EXPECT_EQ(terrain.weight_min(), 6);
}

}  // namespace
}  // namespace outrider::map
