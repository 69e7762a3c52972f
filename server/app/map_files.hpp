#pragma once
// What:     maps from files into the engine: those of the start, and those that an admin orders
//           while the server runs.
// Contract: reading the options looks at no file, so that they can be checked on another machine:
//           the start and SIGHUP do, by check_data_dir() and MapFiles::check(). An order's file
//           lies below the data directory, symbolic links followed: an absolute name, `..`, and a
//           link that leads out are refused. What a file takes is claimed of the memory before it
//           is read. Every map gets the same classes.
// Threads:  any; the engine must outlive it.
// Cost:     the file, once in memory as text and once as cells until the map stands.

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "outrider/app/command_line.hpp"
#include "outrider/base/result.hpp"
#include "outrider/engine/engine.hpp"
#include "outrider/net/server.hpp"

namespace outrider::app {

// What --data-dir names is a directory that can be looked into; empty: none is asked for.
[[nodiscard]] base::Result<void> check_data_dir(const std::filesystem::path& directory);

class MapFiles {
  public:
    MapFiles(engine::Engine& engine, const Options& options);

    // Whether the classes would do, and what would refuse one of these maps whatever its file
    // holds: so that nobody waits for the loading of the others to hear of it.
    [[nodiscard]] base::Result<void> check(const std::vector<MapFile>& maps) const;

    // The operator's own: from wherever it lies.
    [[nodiscard]] base::Result<model::MapId> load(const MapFile& file) const;
    [[nodiscard]] std::expected<engine::LoadedMap, model::Refusal> load(
        const net::MapOrder& order) const;

  private:
    [[nodiscard]] std::expected<std::filesystem::path, model::Refusal> find_file(
        const std::string& name) const;
    [[nodiscard]] std::expected<map::Grid, model::Refusal> read(const net::MapOrder& order,
                                                                engine::MemoryClaim& claim) const;

    engine::Engine& engine_;
    const std::vector<model::MovementClass> classes_;
    const std::filesystem::path data_dir_;
};

}  // namespace outrider::app
