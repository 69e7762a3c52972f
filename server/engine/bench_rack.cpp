#include "outrider/engine/bench_rack.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace outrider::engine {

std::unique_ptr<Workbench> BenchRack::take(bool for_survey) {
    if (places_.empty()) {
        return nullptr;
    }
    auto found =
        std::ranges::find(places_.rbegin(), places_.rend(), for_survey,
                          [](const Place& place) { return place.bench->survey != nullptr; });
    if (found == places_.rend()) {
        found = places_.rbegin();
    }
    std::unique_ptr<Workbench> bench = std::move(found->bench);
    places_.erase(std::prev(found.base()));
    return bench;
}

std::size_t BenchRack::put_back(std::unique_ptr<Workbench> bench, base::TimePoint now) noexcept {
    const std::size_t bytes = bench->bytes;
    try {
        places_.push_back({std::move(bench), now});
        return 0;
    } catch (...) {
        return bytes;
    }
}

std::size_t BenchRack::let_go(base::TimePoint now, std::vector<std::unique_ptr<Workbench>>& idle) {
    std::size_t bytes = 0;
    auto end = places_.begin();
    while (static_cast<std::size_t>(places_.end() - end) > workers_ &&
           now - end->since >= kIdleMax) {
        bytes += end->bench->bytes;
        idle.push_back(std::move(end->bench));
        ++end;
    }
    places_.erase(places_.begin(), end);
    return bytes;
}

std::size_t BenchRack::clear() {
    std::size_t bytes = 0;
    for (const Place& place : places_) {
        bytes += place.bench->bytes;
    }
    places_.clear();
    return bytes;
}

}  // namespace outrider::engine
