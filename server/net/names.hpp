#pragma once
// What:     map and class names to ids, remembered until a map comes or goes.
// Contract: a refusal's field is the name's own, without the message's. Only names that exist are
//           remembered, so that the size is bounded by kMapsMax and kClassesPerMapMax.
// Threads:  one a thread.

#include <expected>
#include <map>
#include <string>
#include <utility>

#include "outrider/engine/engine.hpp"

namespace outrider::net {

// Which map, and which class of it, a question is for.
struct AskedPlace {
    model::MapId map;
    model::ClassId movement_class;
};

class Names {
  public:
    explicit Names(engine::Engine& engine) : engine_(engine) {}
    [[nodiscard]] std::expected<model::MapId, model::Refusal> map(const std::string& name);
    [[nodiscard]] std::expected<model::ClassId, model::Refusal> movement_class(
        model::MapId map, const std::string& name);
    // A map of id 0 is looked up by its name, a class by its name where it has one.
    [[nodiscard]] std::expected<AskedPlace, model::Refusal> place(AskedPlace ids,
                                                                  const std::string& map_name,
                                                                  const std::string& class_name);

  private:
    void forget_what_has_changed();

    engine::Engine& engine_;
    std::uint64_t changes_{0};
    std::map<std::string, model::MapId> maps_;
    std::map<std::pair<model::MapId, std::string>, model::ClassId> classes_;
};

}  // namespace outrider::net
