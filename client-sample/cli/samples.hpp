#pragma once
// What:     times of single operations, kept one by one, for exact percentiles.
// Contract: the percentile is the nearest rank: the smallest sample that at least that share of all
//           samples does not exceed. Everything is 0 without samples.
// Cost:     8 bytes a sample; a percentile selects, it does not sort.

#include <cstddef>
#include <vector>

namespace outrider::cli {

class Samples {
  public:
    void add(double value_us) { values_.push_back(value_us); }
    void reserve(std::size_t count) { values_.reserve(count); }
    [[nodiscard]] std::size_t count() const { return values_.size(); }
    [[nodiscard]] double mean() const;
    // `share` in (0, 1]: 0.99 for the 99th percentile.
    [[nodiscard]] double percentile(double share) const;
    [[nodiscard]] double max() const;

  private:
    std::vector<double> values_;
};

}  // namespace outrider::cli
