#include "units/way.hpp"

#include <algorithm>
#include <utility>

namespace outrider::units {
namespace {

void append(std::vector<Step>& steps, model::Cell from, std::span<const model::Cell> cells) {
    for (const model::Cell cell : cells) {
        steps.push_back(step_between(from, cell));
        from = cell;
    }
}

}  // namespace

void Way::set(std::vector<Step> steps) {
    steps_ = std::move(steps);
    next_ = 0;
    hold_ = kNever;
}

void Way::go_to(model::Cell at, std::span<const model::Cell> cells) {
    std::vector<Step> steps;
    append(steps, at, cells);
    set(std::move(steps));
}

void Way::go_around(model::Cell at, std::span<const model::Cell> cells, std::size_t rejoin) {
    std::vector<Step> steps;
    append(steps, at, cells);
    const auto behind = rest().subspan(rejoin + 1);
    steps.insert(steps.end(), behind.begin(), behind.end());
    set(std::move(steps));
}

void Way::step_aside(model::Cell at, std::span<const model::Cell> cells, bool return_to_way) {
    std::vector<Step> steps;
    append(steps, at, cells);
    const std::size_t hold = steps.size();
    if (return_to_way) {
        std::vector<model::Cell> back(cells.rbegin() + 1, cells.rend());
        back.push_back(at);
        append(steps, cells.back(), back);
        steps.insert(steps.end(), rest().begin(), rest().end());
        // Whoever is sent aside again and again must not walk all of that again.
        const auto again =
            std::find_if(steps.rbegin(), steps.rend() - static_cast<std::ptrdiff_t>(hold),
                         [&](const Step& step) { return step.to == cells.back(); });
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(hold), again.base());
    }
    set(std::move(steps));
    hold_ = hold;
}

}  // namespace outrider::units
