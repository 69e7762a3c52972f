// `outrider map`: which maps a server has, and their coming and going.

#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace outrider::cli {
namespace {

// The largest map takes some seconds, and others may be in line before it.
constexpr std::chrono::minutes kPatience{10};
// Of a frame, besides the map file in it.
constexpr std::size_t kEnvelopeBytes = 256;

struct Options {
    ServerOptions server;
    std::string name;
    std::string file;
    std::string upload;
    bool replace{false};
    bool json{false};
};

nlohmann::json json_of(const codec::MapInfo& map) {
    std::vector<std::string> classes;
    for (const model::MovementClass& movement_class : map.classes) {
        classes.push_back(movement_class.name);
    }
    return {{"id", map.id.value},   {"name", map.name},       {"width", map.width},
            {"height", map.height}, {"version", map.version}, {"classes", classes}};
}

std::string text_of(const codec::MapInfo& map) {
    return map.name + " (id " + std::to_string(map.id.value) + ", " + std::to_string(map.width) +
           " x " + std::to_string(map.height) + ", version " + std::to_string(map.version) + ")";
}

int run_list(const Options& options) {
    const auto client = connect_to(options.server);
    if (!client) {
        return failed(client.error().message);
    }
    const auto list = (*client)->list_maps();
    if (!list) {
        return failed(list.error().message);
    }
    if (options.json) {
        nlohmann::json maps = nlohmann::json::array();
        for (const codec::MapInfo& map : list->maps) {
            maps.push_back(json_of(map));
        }
        std::printf("%s\n", maps.dump().c_str());
        return kExitOk;
    }
    for (const codec::MapInfo& map : list->maps) {
        std::printf("%s\n", text_of(map).c_str());
    }
    return kExitOk;
}

base::Result<std::string> content_of(const std::string& file, std::size_t bytes_max) {
    std::ifstream stream(file, std::ios::binary);
    std::string content;
    // One byte more than fits tells that it does not.
    content.resize(bytes_max + 1);
    stream.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<std::size_t>(stream.gcount()));
    if (stream.bad() || content.empty()) {
        return base::fail(file + ": cannot be read, or is empty; give a .map file");
    }
    if (content.size() > bytes_max) {
        return base::fail(file + ": does not fit into a frame of this server, which takes " +
                          std::to_string(bytes_max) +
                          " bytes of a map; put the file below its --data-dir and give --file");
    }
    return content;
}

int run_load(const Options& options) {
    const auto client = connect_to(options.server);
    if (!client) {
        return failed(client.error().message);
    }
    codec::LoadMapRequest request{options.name, options.file, {}, options.replace};
    if (!options.upload.empty()) {
        const std::size_t frame = (*client)->welcome().limits.frame_bytes_max;
        auto content = content_of(options.upload, frame - std::min(frame, kEnvelopeBytes));
        if (!content) {
            return failed(content.error().message);
        }
        request.content = *std::move(content);
    }
    const auto loaded = (*client)->load_map(std::move(request));
    if (!loaded) {
        return failed(loaded.error().message);
    }
    const bool replaces = loaded->replaced != model::MapId{};
    std::printf(
        "loaded %s%s\n", text_of(loaded->info).c_str(),
        replaces ? (" in place of id " + std::to_string(loaded->replaced.value)).c_str() : "");
    return kExitOk;
}

int run_drop(const Options& options) {
    const auto client = connect_to(options.server);
    if (!client) {
        return failed(client.error().message);
    }
    const auto dropped = (*client)->drop_map({.map = {}, .map_name = options.name});
    if (!dropped) {
        return failed(dropped.error().message);
    }
    std::printf("dropped %s (id %u)\n", options.name.c_str(), dropped->map.value);
    return kExitOk;
}

// Each verb has its own, since a variable as OUTRIDER_TOKEN is read for every verb, said or not: in
// common ones it would take the place of the --token of an earlier verb.
std::shared_ptr<Options> new_options() {
    auto options = std::make_shared<Options>();
    options->server.patience = kPatience;
    return options;
}

CLI::App* add_verb(CLI::App& command, const char* verb, const char* about, Options& options) {
    CLI::App* added = command.add_subcommand(verb, about);
    add_server_options(*added, options.server);
    return added;
}

void add_name(CLI::App& verb, Options& options) {
    verb.add_option("NAME", options.name, "the map's name")->required();
}

void add_list(CLI::App& command, int& exit_code) {
    const auto options = new_options();
    CLI::App* list = add_verb(command, "list", "The maps that a server has", *options);
    list->add_flag("--json", options->json, "one JSON array");
    list->callback([options, &exit_code] { exit_code = run_list(*options); });
}

void add_load(CLI::App& command, int& exit_code) {
    const auto options = new_options();
    CLI::App* load = add_verb(command, "load", "Have a server serve one more map", *options);
    add_name(*load, *options);
    CLI::Option* file = load->add_option("--file", options->file,
                                         "a map file below the server's --data-dir, by its name "
                                         "there");
    CLI::Option* upload = load->add_option("--upload", options->upload,
                                           "a map file of this machine, sent to the server");
    file->excludes(upload);
    load->add_flag("--replace", options->replace,
                   "take the place of the map of that name, which is dropped");
    load->callback([options, &exit_code] {
        if (options->file.empty() == options->upload.empty()) {
            throw CLI::RequiredError("--file or --upload: what to load");
        }
        exit_code = run_load(*options);
    });
}

void add_drop(CLI::App& command, int& exit_code) {
    const auto options = new_options();
    CLI::App* drop = add_verb(command, "drop", "Have a server drop a map", *options);
    add_name(*drop, *options);
    drop->callback([options, &exit_code] { exit_code = run_drop(*options); });
}

}  // namespace

void add_map_command(CLI::App& app, int& exit_code) {
    CLI::App* command = app.add_subcommand("map", "List, load and drop a server's maps");
    command->require_subcommand(1);
    add_list(*command, exit_code);
    add_load(*command, exit_code);
    add_drop(*command, exit_code);
}

}  // namespace outrider::cli
