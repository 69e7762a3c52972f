#include "cli/arguments.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

#include "outrider/base/limits.hpp"

namespace outrider::cli {
namespace {

template <class T>
std::optional<T> parse_number(std::string_view text) {
    T value{};
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end || text.empty()) {
        return std::nullopt;
    }
    return value;
}

std::string quoted(std::string_view text) {
    std::string out("'");
    out += text;
    out += '\'';
    return out;
}

}  // namespace

base::Result<model::Cell> parse_cell(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma != std::string_view::npos) {
        const auto x = parse_number<std::int32_t>(text.substr(0, comma));
        const auto y = parse_number<std::int32_t>(text.substr(comma + 1));
        if (x && y) {
            return model::Cell{*x, *y};
        }
    }
    return base::fail(quoted(text) + " is not a cell: write X,Y such as 12,40");
}

base::Result<model::Rect> parse_rect(std::string_view text) {
    std::array<std::int32_t, 4> numbers{};
    std::string_view rest = text;
    bool good = true;
    for (std::size_t i = 0; i < numbers.size() && good; ++i) {
        const bool is_last = i + 1 == numbers.size();
        const std::size_t end = is_last ? rest.size() : rest.find(',');
        const auto number = end == std::string_view::npos
                                ? std::nullopt
                                : parse_number<std::int32_t>(rest.substr(0, end));
        good = number.has_value();
        numbers[i] = number.value_or(0);
        rest.remove_prefix(good && !is_last ? end + 1 : 0);
    }
    const model::Rect rect{numbers[0], numbers[1], numbers[2], numbers[3]};
    if (!good || rect.empty()) {
        return base::fail(quoted(text) +
                          " is no rectangle: write X,Y,WIDTH,HEIGHT such as 0,0,20,10");
    }
    return rect;
}

namespace {

base::Result<Endpoint> parse_endpoint_from(std::string_view text, std::uint16_t least_port) {
    const std::size_t colon = text.rfind(':');
    if (colon != std::string_view::npos) {
        std::string_view host = text.substr(0, colon);
        const std::string_view port = text.substr(colon + 1);
        if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
            host = host.substr(1, host.size() - 2);
        }
        if (const auto number = parse_number<std::uint16_t>(port);
            number && *number >= least_port) {
            return Endpoint{host.empty() ? "127.0.0.1" : std::string(host), std::string(port)};
        }
    }
    return base::fail(quoted(text) + " is not an address: write HOST:PORT such as 127.0.0.1:7600");
}

}  // namespace

base::Result<Endpoint> parse_endpoint(std::string_view text) {
    return parse_endpoint_from(text, 1);
}

base::Result<Endpoint> parse_listen_endpoint(std::string_view text) {
    return parse_endpoint_from(text, 0);
}

base::Result<model::Algorithm> parse_algorithm(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, model::Algorithm>, 6> kNames{{
        {"auto", model::Algorithm::kAuto},
        {"dijkstra", model::Algorithm::kDijkstra},
        {"astar", model::Algorithm::kAstar},
        {"jps", model::Algorithm::kJps},
        {"fast", model::Algorithm::kFast},
        {"terrain", model::Algorithm::kTerrain},
    }};
    for (const auto& [name, algorithm] : kNames) {
        if (text == name) {
            return algorithm;
        }
    }
    return base::fail(quoted(text) +
                      " is no algorithm: choose auto, dijkstra, astar, jps, fast or terrain");
}

base::Result<model::Grade> parse_grade(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, model::Grade>, 3> kNames{{
        {"none", model::Grade::kNone},
        {"waypoints", model::Grade::kWaypoints},
        {"corners", model::Grade::kCorners},
    }};
    for (const auto& [name, grade] : kNames) {
        if (text == name) {
            return grade;
        }
    }
    return base::fail(quoted(text) + " is no way to smooth: choose none, waypoints or corners");
}

base::Result<model::Priority> parse_priority(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, model::Priority>, 4> kNames{{
        {"low", model::Priority::kLow},
        {"normal", model::Priority::kNormal},
        {"high", model::Priority::kHigh},
        {"urgent", model::Priority::kUrgent},
    }};
    for (const auto& [name, priority] : kNames) {
        if (text == name) {
            return priority;
        }
    }
    return base::fail(quoted(text) + " is no priority: choose low, normal, high or urgent");
}

base::Result<std::uint64_t> parse_whole(std::string_view text) {
    const auto value = parse_number<std::uint64_t>(text);
    if (!value) {
        return base::fail(quoted(text) + " is no whole number from 0 on");
    }
    return *value;
}

base::Result<double> parse_real(std::string_view text, double least, double most) {
    const auto value = parse_number<double>(text);
    if (!value || !(*value >= least && *value <= most)) {
        std::array<char, 64> range{};
        std::snprintf(range.data(), range.size(), "%g to %g", least, most);
        return base::fail(quoted(text) + " is no number from " + range.data());
    }
    return *value;
}

base::Result<std::uint32_t> parse_weight(double weight) {
    const double highest = base::limits::kWeightPercentMax / 100.0;
    if (!(weight >= 1.0 && weight <= highest)) {
        return base::fail("the weight must lie between 1.0 and " +
                          std::to_string(static_cast<int>(highest)) + ".0");
    }
    return static_cast<std::uint32_t>(std::lround(weight * 100.0));
}

}  // namespace outrider::cli
