#pragma once
// What: what the best public online search reaches, to be put beside our own figures.

#include <array>
#include <string_view>

namespace outrider::bench {

struct Published {
    std::string_view map;
    // Times as fast as a textbook A*, both measured on one machine in one run.
    double ratio;
};

// warthog-jps of December 2025, "jps2": block-based jump point search with intermediate pruning.
inline constexpr std::array<Published, 15> kPublished{{
    {"arena2", 29},
    {"brc202d", 26},
    {"den520d", 32},
    {"orz900d", 43},
    {"Aurora", 43},
    {"TheFrozenSea", 44},
    {"AR0011SR", 96},
    {"Berlin_1_1024", 146},
    {"London_0_512", 91},
    {"32room_000", 126},
    {"8room_000", 10.5},
    {"maze512-1-0", 2.0},
    {"maze512-8-0", 116},
    {"random512-25-0", 1.6},
    {"random512-40-0", 2.1},
}};
// On the game maps we want twice that in the geometric mean, and nowhere less than 1.2 times.
inline constexpr double kWantedInTheMean = 2.0;
inline constexpr double kWantedAnywhere = 1.2;

// 0 where nothing is published.
[[nodiscard]] constexpr double published_ratio(std::string_view map) {
    for (const Published& entry : kPublished) {
        if (entry.map == map) {
            return entry.ratio;
        }
    }
    return 0;
}

}  // namespace outrider::bench
