#pragma once
// What: units on a drawn map, with a server that answers at once.

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>

#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "support/weight_grid.hpp"
#include "units/troops.hpp"

namespace outrider::test {

class TroopsWorld {
  public:
    TroopsWorld(map::Grid grid, std::vector<model::MovementClass> classes)
        : troops_(grid.width, grid.height),
          store_(map::Store::create(std::move(grid), std::move(classes)).value()),
          buffers_(search::make_buffers()) {}
    explicit TroopsWorld(std::initializer_list<std::string_view> rows,
                         std::vector<model::MovementClass> classes = {model::ground_class()})
        : TroopsWorld({static_cast<std::int32_t>(rows.begin()->size()),
                       static_cast<std::int32_t>(rows.size()), terrain_of(rows)},
                      std::move(classes)) {}

    units::Troops& troops() { return troops_; }
    [[nodiscard]] const units::Unit& unit(units::UnitIndex index) const {
        return troops_.units()[index];
    }
    [[nodiscard]] std::shared_ptr<const map::Snapshot> snapshot() const {
        return store_->snapshot();
    }
    [[nodiscard]] std::uint64_t questions() const { return questions_; }
    void edit(const model::EditBatch& batch) { ASSERT_TRUE(store_->apply(batch)); }

    units::UnitIndex add(model::Cell at, const units::Traits& traits = {}) {
        EXPECT_TRUE(troops_.add(*snapshot(), traits, at)) << at.x << "," << at.y;
        return static_cast<units::UnitIndex>(troops_.units().size() - 1);
    }
    // A unit with an order and its path.
    units::UnitIndex send(model::Cell from, model::Cell to, const units::Traits& traits = {}) {
        const units::UnitIndex index = add(from, traits);
        order(index, to);
        return index;
    }
    void order(units::UnitIndex index, model::Cell to) {
        troops_.order(index, to);
        answer(index);
    }
    model::PathResult answer(units::UnitIndex index) {
        ++questions_;
        model::PathQuery query;
        query.movement_class = unit(index).traits.movement_class;
        query.start = unit(index).at;
        query.goal = {{unit(index).goal.x, unit(index).goal.y, 1, 1}, 0};
        query.leave_blocked_start = true;
        const auto now = snapshot();
        model::PathResult result = search::run(*now->layer(query.movement_class), query, *buffers_);
        troops_.take_path(index, result.outcome, result.turning_points);
        return result;
    }
    // One tick; whoever wants a path gets one. Checks what must hold at all times.
    void tick() {
        const std::vector<units::Unit> before(troops_.units().begin(), troops_.units().end());
        troops_.tick(*snapshot());
        for (const units::UnitIndex index : troops_.take_wanting()) {
            answer(index);
        }
        check(before);
    }
    // Ticks until all have arrived, or so many have passed.
    std::uint32_t run(std::uint32_t ticks_max) {
        std::uint32_t ticks = 0;
        while (ticks < ticks_max && !all_arrived()) {
            tick();
            ++ticks;
            if (::testing::Test::HasFatalFailure()) {
                break;
            }
        }
        return ticks;
    }
    [[nodiscard]] bool all_arrived() const {
        return std::ranges::all_of(troops_.units(), [](const units::Unit& unit) {
            return unit.state == units::State::kArrived || unit.state == units::State::kIdle;
        });
    }

  private:
    void check(const std::vector<units::Unit>& before) const {
        const auto now = snapshot();
        std::vector<std::uint32_t> held(static_cast<std::size_t>(now->width()) *
                                        static_cast<std::size_t>(now->height()));
        for (std::size_t index = 0; index < before.size(); ++index) {
            const units::Unit& unit = troops_.units()[index];
            ASSERT_TRUE(unit.at == before[index].at ||
                        now->layer(unit.traits.movement_class)->open(unit.at))
                << "unit " << index << " has walked onto a blocked cell";
            for (std::int32_t y = unit.at.y; y < unit.at.y + unit.side; ++y) {
                for (std::int32_t x = unit.at.x; x < unit.at.x + unit.side; ++x) {
                    auto& count =
                        held[static_cast<std::size_t>(y) * static_cast<std::size_t>(now->width()) +
                             static_cast<std::size_t>(x)];
                    ASSERT_EQ(++count, 1U) << "two units stand on " << x << "," << y;
                }
            }
        }
    }

    units::Troops troops_;
    std::unique_ptr<map::Store> store_;
    search::BuffersPtr buffers_;
    std::uint64_t questions_{0};
};

}  // namespace outrider::test
