#include "demo/muster.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "load/dice.hpp"

namespace outrider::demo {
namespace {

// Share of the width that the army stands on at either side.
constexpr std::int32_t kEdgeShare = 14;
// So much of either side is taken at most: units need room to let each other pass.
constexpr std::size_t kRoomTaken = 3;
constexpr std::size_t kRoomWhole = 4;
// Units that leave in one tick: a stream that lasts a good part of the show.
constexpr std::uint32_t kDeparturesPerTick = 1;

// Open cells of columns [first, end), in rows around the middle first.
std::vector<model::Cell> places(const map::Layer& layer, std::int32_t first, std::int32_t end) {
    std::vector<model::Cell> cells;
    for (std::int32_t y = 0; y < layer.height(); ++y) {
        for (std::int32_t x = first; x < end; ++x) {
            if (layer.open({x, y})) {
                cells.push_back({x, y});
            }
        }
    }
    const std::int32_t middle = layer.height() / 2;
    std::ranges::sort(cells, {}, [middle](model::Cell cell) {
        return std::tuple(std::abs(cell.y - middle), cell.y, cell.x);
    });
    return cells;
}

void shuffle(std::vector<model::Cell>& cells, load::Dice& dice) {
    for (std::size_t index = cells.size(); index > 1; --index) {
        std::swap(cells[index - 1], cells[dice.below(index)]);
    }
}

}  // namespace

std::vector<Post> muster(const map::Layer& layer, std::uint32_t count, std::uint64_t seed) {
    const std::int32_t depth = std::max(1, layer.width() / kEdgeShare);
    std::vector<model::Cell> starts = places(layer, 0, depth);
    std::vector<model::Cell> goals = places(layer, layer.width() - depth, layer.width());
    const std::size_t room = std::min(starts.size(), goals.size()) * kRoomTaken / kRoomWhole;
    const std::size_t size =
        std::min({std::size_t{count}, starts.size(), goals.size(), std::max<std::size_t>(1, room)});
    starts.resize(size);
    goals.resize(size);
    load::Dice dice(seed);
    shuffle(goals, dice);
    // The foremost leave first, and go farthest, so that nobody stands in the way of those behind.
    std::ranges::stable_sort(goals, {}, [](model::Cell cell) { return -cell.x; });
    std::ranges::sort(starts, {}, [](model::Cell cell) { return std::pair(-cell.x, cell.y); });
    std::vector<Post> posts(size);
    for (std::size_t index = 0; index < size; ++index) {
        posts[index].at = starts[index];
        posts[index].goal = goals[index];
        posts[index].departs = static_cast<std::uint32_t>(index) / kDeparturesPerTick;
    }
    return posts;
}

}  // namespace outrider::demo
