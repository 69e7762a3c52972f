#pragma once
// What:     one group request on its way: which of its units have been answered.
// Contract: right when each unit came exactly once over all parts, all on the version of the last.
// Threads:  one at a time.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "outrider/client/client.hpp"

namespace outrider::load {

class GroupWatch {
  public:
    explicit GroupWatch(std::size_t units) : came_(units, 0) {}

    void part(const client::GroupArrival& part) {
        one_version_ = one_version_ && (version_ == 0 || version_ == part.version);
        version_ = part.version;
        for (const model::UnitPath& unit : part.units) {
            if (unit.unit < came_.size()) {
                ++came_[unit.unit];
            } else {
                ++strangers_;
            }
        }
    }
    [[nodiscard]] bool right(model::Version version) const {
        const bool each_once = std::ranges::all_of(came_, [](int times) { return times == 1; });
        return each_once && strangers_ == 0 && one_version_ && version_ == version;
    }
    // Units without an answer, in order.
    [[nodiscard]] std::vector<std::size_t> missing() const {
        std::vector<std::size_t> units;
        for (std::size_t unit = 0; unit < came_.size(); ++unit) {
            if (came_[unit] == 0) {
                units.push_back(unit);
            }
        }
        return units;
    }

  private:
    std::vector<int> came_;
    std::uint64_t strangers_{0};
    model::Version version_{0};
    bool one_version_{true};
};

}  // namespace outrider::load
