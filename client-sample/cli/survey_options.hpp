#pragma once
// What:     what the commands that ask for a survey share: their options, the question on its way
//           and the answer with what surrounds it.
// Threads:  one at a time.

#include <CLI/App.hpp>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/picture.hpp"
#include "outrider/client/client.hpp"
#include "outrider/map/snapshot.hpp"

namespace outrider::cli {

struct SurveyOptions {
    ServerOptions server;
    std::string map;
    std::string movement_class;
    std::string priority{"normal"};
    std::uint64_t deadline_ms{0};
    bool leave_blocked_start{false};
    bool draw{false};
    bool json{false};
    std::string png;
};

// --server, --token, --map, --class, --priority, --deadline-ms, --json.
void add_survey_options(CLI::App& command, SurveyOptions& options);
void add_leave_option(CLI::App& command, SurveyOptions& options);
// --draw and --png.
void add_picture_options(CLI::App& command, SurveyOptions& options, const std::string& what);
// --from X,Y, as often as one likes.
void add_cells_option(CLI::App& command, const std::string& name, std::vector<std::string>& cells,
                      const std::string& what);
// Needs strings that parse_cell takes.
[[nodiscard]] std::vector<model::Cell> cells_of(const std::vector<std::string>& texts);

// A server, a map on it, and the answer to one question.
struct Surveyed {
    std::unique_ptr<client::Client> client;
    Place place;
    model::Survey survey;
    client::SurveyAnswer answer;
    double elapsed_ms{};
    // Of a group: until the first paths were there; else the same.
    double first_ms{};
};

// The snapshot of the map as the server has it now.
[[nodiscard]] base::Result<std::shared_ptr<const map::Snapshot>> newest_snapshot(
    client::Client& client, const Place& place);

// What to ask, once it is known where.
using MakeQuery = std::function<base::Result<decltype(model::Survey::query)>(client::Client& client,
                                                                             const Place& place)>;
[[nodiscard]] base::Result<Surveyed> ask_survey(const SurveyOptions& options,
                                                const MakeQuery& make_query);

// The map as the class sees it, for overlays.
[[nodiscard]] base::Result<Picture> picture_of(const Surveyed& surveyed);
// To the terminal and to the file, as the options say.
[[nodiscard]] base::Result<void> show(const Picture& picture, const SurveyOptions& options);

}  // namespace outrider::cli
