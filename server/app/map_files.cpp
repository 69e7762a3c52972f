#include "outrider/app/map_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "outrider/base/limits.hpp"
#include "outrider/map/class_check.hpp"
#include "outrider/map/map_file.hpp"

namespace outrider::app {
namespace {

namespace fs = std::filesystem;
using model::RefusalCode;

constexpr const char* kFile = "load_map.file";
constexpr const char* kContent = "load_map.content";
// Text and cells.
constexpr std::size_t kCopies = 2;

std::unexpected<model::Refusal> refused(RefusalCode code, const char* field, std::string message) {
    return std::unexpected(
        model::Refusal{.code = code, .field = field, .message = std::move(message)});
}

std::vector<model::MovementClass> classes_of(const Options& options) {
    std::vector<model::MovementClass> classes{model::ground_class(), model::terrain_class()};
    classes.insert(classes.end(), options.classes.begin(), options.classes.end());
    return classes;
}

std::unexpected<base::Error> refused_map(const MapFile& map, const std::string& message) {
    return base::fail("map " + map.name + ": " + message);
}

bool lies_below(const fs::path& file, const fs::path& directory) {
    return std::ranges::mismatch(directory, file).in1 == directory.end();
}

}  // namespace

base::Result<void> check_data_dir(const fs::path& directory) {
    if (directory.empty()) {
        return {};
    }
    std::error_code error;
    const bool is_directory = fs::is_directory(directory, error);
    if (!error && is_directory && ::access(directory.c_str(), X_OK) != 0) {
        error.assign(errno, std::generic_category());
    }
    if (!error && is_directory) {
        return {};
    }
    return base::fail("--data-dir " + directory.string() + ": " +
                      (error ? error.message() : "is no directory") +
                      "; give a directory that the server may look into, or leave the option out");
}

MapFiles::MapFiles(engine::Engine& engine, const Options& options)
    : engine_(engine), classes_(classes_of(options)), data_dir_(options.data_dir) {}

base::Result<void> MapFiles::check(const std::vector<MapFile>& maps) const {
    if (const auto classes = map::check_classes(classes_); !classes) {
        return base::fail("--class: " + classes.error().message);
    }
    if (maps.size() > base::limits::kMapsMax) {
        return base::fail("--map is given " + std::to_string(maps.size()) +
                          " times; serve at most " + std::to_string(base::limits::kMapsMax) +
                          " maps");
    }
    for (auto map = maps.begin(); map != maps.end(); ++map) {
        if (std::find_if(maps.begin(), map,
                         [&](const MapFile& other) { return other.name == map->name; }) != map) {
            return refused_map(*map, "--map gives this name twice; rename one");
        }
        if (const auto no = engine_.refusal_of_load(map->name, false)) {
            return base::fail(no->message);
        }
        std::error_code error;
        const bool is_file = fs::is_regular_file(map->file, error);
        if (!is_file || ::access(map->file.c_str(), R_OK) != 0) {
            return refused_map(*map, map->file.string() + ": " +
                                         (error ? error.message() : "is no file to be read") +
                                         "; give the path of a readable .map file");
        }
    }
    return {};
}

base::Result<model::MapId> MapFiles::load(const MapFile& file) const {
    auto grid = map::read_map_file(file.file);
    if (!grid) {
        return refused_map(file, grid.error().message);
    }
    return engine_.add_map(file.name, *std::move(grid), classes_);
}

std::expected<engine::LoadedMap, model::Refusal> MapFiles::load(const net::MapOrder& order) const {
    if (auto no = engine_.refusal_of_load(order.name, order.replace)) {
        return std::unexpected(std::move(*no));
    }
    engine::MemoryClaim claim;
    auto grid = read(order, claim);
    if (!grid) {
        return std::unexpected(std::move(grid.error()));
    }
    return engine_.load_map({order.name, *std::move(grid), classes_, order.replace});
}

std::expected<map::Grid, model::Refusal> MapFiles::read(const net::MapOrder& order,
                                                        engine::MemoryClaim& claim) const {
    const bool is_file = !order.file.empty();
    fs::path file;
    std::uintmax_t bytes = order.content.size();
    if (is_file) {
        auto found = find_file(order.file);
        if (!found) {
            return std::unexpected(std::move(found.error()));
        }
        file = *std::move(found);
        std::error_code error;
        bytes = fs::file_size(file, error);
        if (error) {
            return refused(RefusalCode::kInvalidArgument, kFile,
                           "\"" + order.file + "\": " + error.message());
        }
    }
    // A file above this is refused by its reader, before it takes memory.
    const std::size_t taken = kCopies * static_cast<std::size_t>(std::min<std::uintmax_t>(
                                            bytes, base::limits::kMapFileBytesMax));
    auto claimed = engine_.memory().claim(engine::MemoryPart::kMaps, taken);
    if (!claimed) {
        return refused(RefusalCode::kOverloaded, is_file ? kFile : kContent,
                       "needs " + std::to_string(taken) +
                           " bytes of memory to be read, and the server has not so much left; drop "
                           "a map, or raise --memory-max");
    }
    claim = *std::move(claimed);
    auto grid = is_file ? map::read_map_file(file) : map::parse_map(order.content, order.name);
    if (!grid) {
        return refused(RefusalCode::kInvalidArgument, is_file ? kFile : kContent,
                       grid.error().message);
    }
    return *std::move(grid);
}

std::expected<fs::path, model::Refusal> MapFiles::find_file(const std::string& name) const {
    if (data_dir_.empty()) {
        return refused(RefusalCode::kPermissionDenied, kFile,
                       "this server was given no --data-dir to read from; send the map's content");
    }
    const fs::path asked(name);
    const bool climbs = std::ranges::find(asked, fs::path("..")) != asked.end();
    if (asked.is_absolute() || climbs || name.find('\0') != std::string::npos) {
        return refused(RefusalCode::kInvalidArgument, kFile,
                       "\"" + name +
                           "\" is no name below the server's --data-dir: give one without "
                           "a leading / and without ..");
    }
    std::error_code error;
    const fs::path root = fs::canonical(data_dir_, error);
    const fs::path file = error ? fs::path() : fs::canonical(root / asked, error);
    if (error) {
        return refused(
            RefusalCode::kInvalidArgument, kFile,
            "\"" + name + "\" cannot be found below the server's --data-dir: " + error.message());
    }
    if (!lies_below(file, root) || !fs::is_regular_file(file, error)) {
        return refused(RefusalCode::kInvalidArgument, kFile,
                       "\"" + name + "\" is no file below the server's --data-dir");
    }
    return file;
}

}  // namespace outrider::app
