#include "bench/generated_maps.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "bench/noise.hpp"

namespace outrider::bench {
namespace {

constexpr model::Terrain kOpen = '.';
constexpr model::Terrain kBlocked = '@';

std::size_t index_of(const map::Grid& grid, std::int32_t x, std::int32_t y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(grid.width) +
           static_cast<std::size_t>(x);
}

int blocked_around(const map::Grid& grid, std::int32_t x, std::int32_t y) {
    int count = 0;
    for (std::int32_t dy = -1; dy <= 1; ++dy) {
        for (std::int32_t dx = -1; dx <= 1; ++dx) {
            const std::int32_t to_x = x + dx;
            const std::int32_t to_y = y + dy;
            const bool outside = to_x < 0 || to_y < 0 || to_x >= grid.width || to_y >= grid.height;
            count += outside || grid.terrain[index_of(grid, to_x, to_y)] == kBlocked ? 1 : 0;
        }
    }
    return count;
}

map::Grid smoothed(const map::Grid& grid) {
    map::Grid next = grid;
    for (std::int32_t y = 0; y < grid.height; ++y) {
        for (std::int32_t x = 0; x < grid.width; ++x) {
            next.terrain[index_of(grid, x, y)] = blocked_around(grid, x, y) >= 5 ? kBlocked : kOpen;
        }
    }
    return next;
}

// Heights on a lattice, between them linear: 0 .. 255 * kStep * kStep.
class Hills {
  public:
    static constexpr std::int32_t kStep = 32;

    explicit Hills(std::int32_t side) : across_(side / kStep + 2) {
        Noise noise(5);
        for (std::int32_t i = 0; i < across_ * across_; ++i) {
            heights_.push_back(noise.below(256));
        }
    }
    [[nodiscard]] std::int32_t at(std::int32_t x, std::int32_t y) const {
        const std::int32_t right = x % kStep;
        const std::int32_t down = y % kStep;
        const auto row = [&](std::int32_t line) {
            return corner(x / kStep, line) * (kStep - right) + corner(x / kStep + 1, line) * right;
        };
        return row(y / kStep) * (kStep - down) + row(y / kStep + 1) * down;
    }

  private:
    [[nodiscard]] std::int32_t corner(std::int32_t x, std::int32_t y) const {
        return heights_[static_cast<std::size_t>(y * across_ + x)];
    }
    std::int32_t across_;
    std::vector<std::int32_t> heights_;
};

}  // namespace

map::Grid open_grid(std::int32_t side) {
    return {side, side,
            std::vector<model::Terrain>(
                static_cast<std::size_t>(side) * static_cast<std::size_t>(side), kOpen)};
}

map::Grid noise_grid(std::int32_t side, int percent, std::uint64_t seed) {
    map::Grid grid = open_grid(side);
    Noise noise(seed);
    for (model::Terrain& cell : grid.terrain) {
        cell = noise.chance(percent) ? kBlocked : kOpen;
    }
    for (const std::int32_t y : {0, side - 1}) {
        grid.terrain[index_of(grid, 0, y)] = grid.terrain[index_of(grid, side - 1, y)] = kOpen;
    }
    return grid;
}

map::Grid rooms_grid(std::int32_t side) {
    constexpr std::int32_t kRoom = 32;
    map::Grid grid = open_grid(side);
    Noise noise(2);
    for (std::int32_t y = 0; y < side; ++y) {
        for (std::int32_t x = 0; x < side; ++x) {
            if (x % kRoom == kRoom - 1 || y % kRoom == kRoom - 1) {
                grid.terrain[index_of(grid, x, y)] = kBlocked;
            }
        }
    }
    for (std::int32_t y = 0; y + kRoom <= side; y += kRoom) {
        for (std::int32_t x = 0; x + kRoom <= side; x += kRoom) {
            if (noise.chance(80)) {
                grid.terrain[index_of(grid, x + kRoom - 1, y + noise.below(kRoom - 1))] = kOpen;
            }
            if (noise.chance(80)) {
                grid.terrain[index_of(grid, x + noise.below(kRoom - 1), y + kRoom - 1)] = kOpen;
            }
        }
    }
    return grid;
}

map::Grid caves_grid(std::int32_t side) {
    map::Grid grid = noise_grid(side, 45, 3);
    for (int turn = 0; turn < 5; ++turn) {
        grid = smoothed(grid);
    }
    return grid;
}

map::Grid with_terrain(map::Grid grid) {
    // Weights 1.0, 1.4, 2.0, 2.5 and 3.0, the cheap ones more often.
    constexpr std::array<model::Terrain, 8> kByHeight{'F', 'F', 'F', 'G', 'G', 'K', 'E', 'C'};
    const Hills hills(grid.width);
    for (std::int32_t y = 0; y < grid.height; ++y) {
        for (std::int32_t x = 0; x < grid.width; ++x) {
            model::Terrain& cell = grid.terrain[index_of(grid, x, y)];
            // Interpolation crowds around the middle height: stretch it.
            const std::int32_t height = hills.at(x, y) / (Hills::kStep * Hills::kStep);
            const std::int32_t step = std::clamp((height - 64) / 16, 0, 7);
            cell = cell == kBlocked ? 'B' : kByHeight[static_cast<std::size_t>(step)];
        }
    }
    return grid;
}

}  // namespace outrider::bench
