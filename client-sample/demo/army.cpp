#include "demo/army.hpp"

#include <algorithm>

#include "outrider/base/check.hpp"

namespace outrider::demo {

Army::Army(const map::Snapshot& snapshot, std::span<const Post> posts)
    : troops_(snapshot.width(), snapshot.height()), replanned_(posts.size()), told_(posts.size()) {
    for (const Post& post : posts) {
        const units::Traits traits{.movement_class = kClass,
                                   .speed = kCellsInTenTicks * model::kCostPerCell / 10,
                                   .departs = post.departs};
        OUTRIDER_CHECK(troops_.add(snapshot, traits, post.at));
        start_.push_back(post.at);
        troops_.order(static_cast<units::UnitIndex>(start_.size() - 1), post.goal);
    }
}

std::size_t Army::arrived() const {
    return static_cast<std::size_t>(
        std::ranges::count(units(), units::State::kArrived, &units::Unit::state));
}

std::vector<std::size_t> Army::step(const map::Snapshot& snapshot) {
    troops_.tick(snapshot);
    std::vector<std::size_t> wanting;
    for (const units::UnitIndex unit : troops_.take_wanting()) {
        wanting.push_back(unit);
    }
    return wanting;
}

void Army::tell(std::size_t unit, std::span<const model::Cell> cells) {
    const bool leads_there = !cells.empty() && cells.back() == goal(unit);
    told_[unit].assign(cells.begin(), leads_there ? cells.end() : cells.begin());
    troops_.take_path(static_cast<units::UnitIndex>(unit),
                      leads_there ? model::Outcome::kComplete : model::Outcome::kUnreachable,
                      told_[unit]);
}

void Army::tell_anew(std::size_t unit, std::span<const model::Cell> cells) {
    tell(unit, cells);
    if (has_marched(unit)) {
        replanned_[unit] = troops_.ticks();
    }
}

bool Army::report(std::size_t unit) {
    std::vector<model::Cell>& told = told_[unit];
    const auto place = std::ranges::find(told, units()[unit].at);
    const bool known = place != told.end();
    told.erase(told.begin(), place);
    return known;
}

std::vector<std::size_t> Army::find_untold(const map::Snapshot& snapshot) const {
    const map::Layer& layer = *snapshot.layer(kClass);
    std::vector<std::size_t> untold;
    for (std::size_t unit = 0; unit < told_.size(); ++unit) {
        const auto broken = std::ranges::adjacent_find(
            told_[unit],
            [&](model::Cell from, model::Cell to) { return !units::is_legal(layer, from, to); });
        const bool none = told_[unit].empty() || broken != told_[unit].end();
        if (none && !units()[unit].done) {
            untold.push_back(unit);
        }
    }
    return untold;
}

void Army::stop_the_broken(const map::Snapshot& snapshot) {
    troops_.stop_the_broken(snapshot);
    for (const units::UnitIndex unit : troops_.take_wanting()) {
        tell(unit, std::vector<model::Cell>(told_[unit]));
    }
}

}  // namespace outrider::demo
