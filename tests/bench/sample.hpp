#pragma once
// What: some times, or other figures, and what a table says of them.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace outrider::bench {

struct Sample {
    std::vector<double> values;

    // Of the sorted values: 0.5 is the median. 0 where there are none.
    [[nodiscard]] double at(double share) {
        if (values.empty()) {
            return 0;
        }
        std::sort(values.begin(), values.end());
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    }
    [[nodiscard]] double mean() const {
        double sum = 0;
        for (const double value : values) {
            sum += value;
        }
        return sum / static_cast<double>(values.size());
    }
};

}  // namespace outrider::bench
