#pragma once
// What: seeds for random tests. OUTRIDER_TEST_SEED replays one run; OUTRIDER_TEST_SCALE multiplies
//       the number of rounds (1 in CI, more in `./dev.sh full`).

#include <cstdint>
#include <random>

namespace outrider::test {

// Prints the seed on first use, so that a failure can be replayed.
[[nodiscard]] std::uint64_t seed();
[[nodiscard]] std::uint64_t rounds(std::uint64_t base);

class Random {
  public:
    explicit Random(std::uint64_t stream) : engine_(seed() * 0x9E3779B97F4A7C15ULL + stream) {}

    // The same numbers in every run: for golden hashes.
    [[nodiscard]] static Random fixed(std::uint64_t seed) { return Random(std::mt19937_64(seed)); }

    // Uniform in [low, high], the same on every standard library.
    [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high) {
        const auto span = static_cast<std::uint64_t>(high - low) + 1;
        return low + static_cast<std::int64_t>(engine_() % span);
    }
    [[nodiscard]] bool chance(int percent) { return between(0, 99) < percent; }
    [[nodiscard]] std::uint64_t bits() { return engine_(); }

  private:
    explicit Random(const std::mt19937_64& engine) : engine_(engine) {}

    std::mt19937_64 engine_;
};

}  // namespace outrider::test
