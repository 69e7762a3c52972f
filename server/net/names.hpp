#pragma once
// What:     map and class names to ids, remembered after the first look-up: neither ever changes.
// Contract: only names that exist are remembered, so that the size is bounded by kMapsMax and
//           kClassesPerMapMax.
// Threads:  one a thread.

#include <expected>
#include <map>
#include <string>
#include <utility>

#include "outrider/engine/engine.hpp"

namespace outrider::net {

class Names {
  public:
    explicit Names(engine::Engine& engine) : engine_(engine) {}
    [[nodiscard]] std::expected<model::MapId, model::Refusal> map(const std::string& name);
    [[nodiscard]] std::expected<model::ClassId, model::Refusal> movement_class(
        model::MapId map, const std::string& name);

  private:
    engine::Engine& engine_;
    std::map<std::string, model::MapId> maps_;
    std::map<std::pair<model::MapId, std::string>, model::ClassId> classes_;
};

}  // namespace outrider::net
