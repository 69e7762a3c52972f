#pragma once
// What: random numbers that are the same on every standard library, so that a seed replays a run.

#include <cstdint>
#include <random>

namespace outrider::load {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed * 0x9E3779B97F4A7C15ULL + 1) {}

    // Uniform in [0, count); needs a positive count.
    [[nodiscard]] std::uint64_t below(std::uint64_t count) { return engine_() % count; }
    [[nodiscard]] std::int32_t between(std::int32_t low, std::int32_t high) {
        return low + static_cast<std::int32_t>(below(static_cast<std::uint64_t>(high - low) + 1));
    }
    [[nodiscard]] bool chance(double share) {
        return static_cast<double>(engine_() >> 11U) * 0x1.0p-53 < share;
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace outrider::load
