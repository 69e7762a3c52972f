#pragma once
// What: a drawn map, one movement class on it, warm buffers, and the oracle for the same map: the
//       shortest way to put a question to the search in a test. In drawings `S` and `G` are open.

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"
#include "support/oracle.hpp"
#include "support/weight_grid.hpp"

namespace outrider::test {

class SearchWorld {
  public:
    SearchWorld(map::Grid grid, model::MovementClass who)
        : who_(std::move(who)), weights_(weights_of(grid, who_)), grid_(grid) {
        auto store = map::Store::create(std::move(grid), {who_});
        if (store) {
            store_ = std::move(*store);
            snapshot_ = store_->snapshot();
        } else {
            ADD_FAILURE() << store.error().message;
        }
    }
    SearchWorld(std::initializer_list<std::string_view> rows,
                model::MovementClass who = model::ground_class())
        : SearchWorld(map::Grid{static_cast<std::int32_t>(rows.begin()->size()),
                                static_cast<std::int32_t>(rows.size()), terrain_of(rows)},
                      std::move(who)) {}

    [[nodiscard]] model::PathResult ask(const model::PathQuery& query) {
        return search::run(layer(), query, *buffers_);
    }
    [[nodiscard]] Expected oracle(const model::PathQuery& query) const {
        return ask_oracle(weights_, mover_of(who_), query);
    }
    [[nodiscard]] std::string fault(const model::PathQuery& query,
                                    const model::PathResult& result) const {
        return fault_of_path(weights_, mover_of(who_), query, result);
    }
    // Where the drawing has its one `mark`.
    [[nodiscard]] model::Cell find(char mark) const {
        for (model::Cell at{0, 0}; at.y < grid_.height; ++at.y) {
            for (at.x = 0; at.x < grid_.width; ++at.x) {
                if (grid_.terrain[static_cast<std::size_t>(at.y) *
                                      static_cast<std::size_t>(grid_.width) +
                                  static_cast<std::size_t>(at.x)] ==
                    static_cast<model::Terrain>(mark)) {
                    return at;
                }
            }
        }
        ADD_FAILURE() << "no " << mark << " in the drawing";
        return {};
    }
    // From the drawing's S to its `goal`.
    [[nodiscard]] model::PathQuery query(char goal = 'G') const {
        const model::Cell to = find(goal);
        model::PathQuery query;
        query.start = find('S');
        query.goal.rect = {to.x, to.y, 1, 1};
        return query;
    }

    [[nodiscard]] map::Store& store() { return *store_; }
    [[nodiscard]] const map::Snapshot& snapshot() const { return *snapshot_; }
    [[nodiscard]] const map::Layer& layer() const { return *snapshot_->layer({0}); }
    [[nodiscard]] search::Buffers& buffers() { return *buffers_; }
    [[nodiscard]] const WeightGrid& weights() const { return weights_; }

  private:
    model::MovementClass who_;
    WeightGrid weights_;
    map::Grid grid_;
    std::unique_ptr<map::Store> store_;
    std::shared_ptr<const map::Snapshot> snapshot_;
    search::BuffersPtr buffers_ = search::make_buffers();
};

[[nodiscard]] inline model::PathQuery query_of(model::Cell from, model::Cell to) {
    model::PathQuery query;
    query.start = from;
    query.goal.rect = {to.x, to.y, 1, 1};
    return query;
}

inline constexpr model::Algorithm kAllAlgorithms[] = {
    model::Algorithm::kAuto, model::Algorithm::kDijkstra, model::Algorithm::kAstar,
    model::Algorithm::kJps,  model::Algorithm::kFast,     model::Algorithm::kTerrain};

}  // namespace outrider::test
