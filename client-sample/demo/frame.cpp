#include "demo/frame.hpp"

#include <algorithm>
#include <cstdio>

#include "cli/draw.hpp"
#include "cli/map_picture.hpp"

namespace outrider::demo {
namespace {

// A new path stays in the picture for this many ticks.
constexpr std::uint32_t kFreshTicks = 6;

cli::Picture picture_of_march(const map::Snapshot& snapshot, const Army& army, std::uint32_t tick) {
    cli::Picture picture = cli::picture_of(snapshot, kClass);
    for (std::size_t index = 0; index < army.units().size(); ++index) {
        const std::uint32_t replanned = army.replanned(index);
        if (replanned != 0 && tick < replanned + kFreshTicks) {
            std::vector<model::Cell> cells;
            for (const units::Step& step : army.units()[index].way.rest()) {
                cells.push_back(step.to);
            }
            cli::lay_cells(picture, cells, cli::Overlay::kPath);
        }
    }
    // Above all paths.
    for (const units::Unit& unit : army.units()) {
        const bool stuck = unit.state == units::State::kStranded;
        picture.lay(unit.at, stuck ? cli::Overlay::kStuckUnit : cli::Overlay::kUnit);
    }
    return picture;
}

// Lines never wrap: a terminal that scrolls spoils the animation.
std::string cut(std::string line, const cli::Terminal& terminal) {
    const auto columns = static_cast<std::size_t>(std::max(1, terminal.columns));
    if (line.size() > columns) {
        line.resize(columns);
    }
    if (terminal.interactive) {
        line += "\x1b[K";
    }
    return line + "\n";
}

}  // namespace

std::string frame(const map::Snapshot& snapshot, const Army& army, const Tally& tally,
                  std::uint32_t tick, const cli::Terminal& terminal) {
    const cli::Picture picture = picture_of_march(snapshot, army, tick);
    const int rows = terminal.interactive ? std::max(4, terminal.rows - kTextLines - 1) : 0;
    char line[200];
    std::string out;
    std::snprintf(line, sizeof line, "Outrider: the march, tick %u", tick);
    out += cut(line, terminal);
    out += cli::draw_fitted(picture, terminal, rows);
    std::snprintf(line, sizeof line,
                  "arrived %zu of %zu   re-plans %llu   edits %llu   buildings %zu   version %llu",
                  army.arrived(), army.units().size(),
                  static_cast<unsigned long long>(tally.replans),
                  static_cast<unsigned long long>(tally.edits), tally.buildings,
                  static_cast<unsigned long long>(tally.version));
    out += cut(line, terminal);
    std::snprintf(line, sizeof line,
                  "requests %llu   answers: last %.2f ms, median %.2f ms, 99th percentile %.2f ms",
                  static_cast<unsigned long long>(tally.requests), tally.last_ms, tally.p50_ms,
                  tally.p99_ms);
    out += cut(line, terminal);
    if (terminal.colour) {
        std::string text = cli::legend(picture, true);
        text.insert(text.size() - 1, "\x1b[K");
        out += text;
    } else {
        out += cut(cli::legend(picture, false), terminal);
    }
    return out;
}

std::string summary(const Army& army, const Tally& tally) {
    char line[320];
    std::snprintf(line, sizeof line,
                  "%zu of %zu units arrived; %llu new paths around %llu edits (map version %llu); "
                  "%llu requests, median %.2f ms, 99th percentile %.2f ms\n",
                  army.arrived(), army.units().size(),
                  static_cast<unsigned long long>(tally.replans),
                  static_cast<unsigned long long>(tally.edits),
                  static_cast<unsigned long long>(tally.version),
                  static_cast<unsigned long long>(tally.requests), tally.p50_ms, tally.p99_ms);
    return line;
}

}  // namespace outrider::demo
