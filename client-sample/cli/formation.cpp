#include "cli/formation.hpp"

#include <array>
#include <string>
#include <utility>

namespace outrider::cli {
namespace {

std::vector<model::Cell> places_as_they_stand(std::span<const model::Cell> starts) {
    std::int64_t x = 0;
    std::int64_t y = 0;
    for (const model::Cell start : starts) {
        x += start.x;
        y += start.y;
    }
    const auto units = static_cast<std::int64_t>(starts.size());
    const model::Cell middle{static_cast<std::int32_t>(x / units),
                             static_cast<std::int32_t>(y / units)};
    std::vector<model::Cell> places;
    for (const model::Cell start : starts) {
        places.push_back({start.x - middle.x, start.y - middle.y});
    }
    return places;
}

std::vector<model::Cell> places_in_rows(std::size_t units, std::size_t per_row,
                                        std::int32_t footprint) {
    const std::size_t rows = (units + per_row - 1) / per_row;
    std::vector<model::Cell> places;
    for (std::size_t i = 0; i < units; ++i) {
        const auto column = static_cast<std::int32_t>(i % per_row);
        const auto row = static_cast<std::int32_t>(i / per_row);
        places.push_back({(column - static_cast<std::int32_t>(per_row) / 2) * footprint,
                          (row - static_cast<std::int32_t>(rows) / 2) * footprint});
    }
    return places;
}

}  // namespace

base::Result<Formation> parse_formation(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, Formation>, 4> kNames{{
        {"none", Formation::kNone},
        {"keep", Formation::kKeep},
        {"box", Formation::kBox},
        {"line", Formation::kLine},
    }};
    for (const auto& [name, formation] : kNames) {
        if (text == name) {
            return formation;
        }
    }
    return base::fail("'" + std::string(text) +
                      "' is no formation: choose none, keep, box or line");
}

std::vector<model::Cell> places_of(Formation formation, std::span<const model::Cell> starts,
                                   std::int32_t footprint) {
    if (formation == Formation::kNone || starts.empty()) {
        return {};
    }
    if (formation == Formation::kKeep) {
        return places_as_they_stand(starts);
    }
    std::size_t per_row = 1;
    while (formation == Formation::kBox && per_row * per_row < starts.size()) {
        ++per_row;
    }
    return places_in_rows(starts.size(), formation == Formation::kLine ? starts.size() : per_row,
                          footprint);
}

}  // namespace outrider::cli
