#pragma once
// What:     the values of the command line that are more than a number or a word.
// Contract: a bad value gives one sentence that names it and shows a good one.

#include <optional>
#include <string>
#include <string_view>

#include "outrider/base/result.hpp"
#include "outrider/model/cell.hpp"
#include "outrider/model/query.hpp"
#include "outrider/model/request.hpp"

namespace outrider::cli {

struct Endpoint {
    std::string host;
    std::string port;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// "X,Y"; negative numbers are cells too (the server says that they are out of bounds).
[[nodiscard]] base::Result<model::Cell> parse_cell(std::string_view text);
// "X,Y,WIDTH,HEIGHT"; sides of at least 1.
[[nodiscard]] base::Result<model::Rect> parse_rect(std::string_view text);
// "HOST:PORT", "[::1]:PORT" or ":PORT" (this machine).
[[nodiscard]] base::Result<Endpoint> parse_endpoint(std::string_view text);
// The same, where port 0 lets the system pick one.
[[nodiscard]] base::Result<Endpoint> parse_listen_endpoint(std::string_view text);
// auto, dijkstra, astar, jps, fast, terrain.
[[nodiscard]] base::Result<model::Algorithm> parse_algorithm(std::string_view text);
// none, waypoints, corners.
[[nodiscard]] base::Result<model::Grade> parse_grade(std::string_view text);
// low, normal, high, urgent.
[[nodiscard]] base::Result<model::Priority> parse_priority(std::string_view text);
// From 0 to the most that 64 bits hold; CLI11's own takes -1 for that.
[[nodiscard]] base::Result<std::uint64_t> parse_whole(std::string_view text);
// A number in the range, which `nan` is not.
[[nodiscard]] base::Result<double> parse_real(std::string_view text, double least, double most);
// 1.0 .. 10.0 as percent: 1.5 = 150.
[[nodiscard]] base::Result<std::uint32_t> parse_weight(double weight);

}  // namespace outrider::cli
