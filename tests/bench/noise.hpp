#pragma once
// What: one number stream for every run and machine, so that tables of two commits compare.

#include <cstdint>

namespace outrider::bench {

// SplitMix64 (Steele, Lea, Flood 2014).
class Noise {
  public:
    explicit Noise(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }
    // In [0, count).
    std::int32_t below(std::int32_t count) {
        return static_cast<std::int32_t>(next() % static_cast<std::uint64_t>(count));
    }
    bool chance(int percent) { return below(100) < percent; }

  private:
    std::uint64_t state_;
};

}  // namespace outrider::bench
