#pragma once
// What:     an explained path as a search trace that the Posthoc visualiser opens: a document of
//           version 1.4.0 in JSON, one event a line.
// Contract: events in the order of the search: source, destination, then `generating` for each cell
//           opened, `expanding` and `closing` for each taken, `end` where the path arrives. `id` is
//           y * width + x, g, h and f are exact costs. Above kTraceCellsMax cells every so many-th
//           is told and none has a parent, since it may be missing; else `pId` is the cell from
//           which it was opened.
// Source:   posthoc.pathfinding.ai; its app takes files that end in .trace.json or .trace.yaml and
//           reads both as YAML.

#include <cstddef>
#include <string>
#include <string_view>

#include "outrider/base/result.hpp"
#include "outrider/model/query.hpp"

namespace outrider::cli {

// The visualiser holds each event as an object; beyond, browsers get slow.
inline constexpr std::size_t kTraceCellsMax = 100'000;

[[nodiscard]] std::string search_trace(const model::PathResult& result, std::int32_t map_width,
                                       model::Cell start, model::Cell goal);

// A name that the visualiser takes.
[[nodiscard]] base::Result<std::string> parse_trace_file(std::string_view path);

}  // namespace outrider::cli
