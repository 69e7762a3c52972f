#include "cli/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace outrider::cli {

double Samples::mean() const {
    if (values_.empty()) {
        return 0.0;
    }
    return std::accumulate(values_.begin(), values_.end(), 0.0) /
           static_cast<double>(values_.size());
}

double Samples::percentile(double share) const {
    if (values_.empty()) {
        return 0.0;
    }
    const double rank = std::ceil(share * static_cast<double>(values_.size()));
    const auto index = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(rank, 1.0)) - 1, 0,
                                               values_.size() - 1);
    std::vector<double> copy = values_;
    std::nth_element(copy.begin(), copy.begin() + static_cast<std::ptrdiff_t>(index), copy.end());
    return copy[index];
}

double Samples::max() const {
    return values_.empty() ? 0.0 : *std::max_element(values_.begin(), values_.end());
}

}  // namespace outrider::cli
