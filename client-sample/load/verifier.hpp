#pragma once
// What:     checks the recorded answers of a run: replays the map version by version and walks,
//           weighs and searches again.
// Contract: an answer is right when its version is one that the map had, and not older than the
//           newest that was acknowledged before it was asked (law 2); when its path is legal on
//           that version, runs from start to goal, costs the exact sum of its steps and hashes to
//           its hash; and when a search of our own on that version says the same outcome, cost and
//           path (laws 1 and 4; see other_paths). Of a unit of a group outcome and cost are
//           compared with those of a search for that unit alone. One in kSecondOpinion distinct
//           questions is also put to a plain A*, which shares nothing with jump point search but
//           the map.
// Threads:  one.
// Cost:     one search for each distinct question of a version.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "load/recorder.hpp"
#include "outrider/client/landmark_news.hpp"
#include "outrider/client/map_mirror.hpp"
#include "outrider/search/search.hpp"

namespace outrider::load {

inline constexpr std::uint64_t kSecondOpinion = 16;
inline constexpr std::size_t kExamplesMax = 5;

struct Findings {
    std::uint64_t checked{};
    std::uint64_t wrong{};
    // Of those checked: right, but another than our own of several equally cheap paths, on a
    // version for which the server has landmarks, which we do not have and which decide between
    // such paths.
    std::uint64_t other_paths{};
    std::uint64_t searches{};
    std::vector<std::string> examples;  // of what was wrong, kExamplesMax at most
};

class Verifier {
  public:
    // The map as it was when the watch began.
    struct Beginning {
        std::unique_ptr<map::Store> store;
        client::LandmarkNews landmarks{};
    };
    // `batches` is what was pushed, in order.
    Verifier(Beginning beginning, std::vector<codec::MapEdited> batches,
             model::ClassId movement_class);

    // Called at the beginning with 0 checked, now and then, and at the end with all.
    using Progress = std::function<void(std::uint64_t checked, std::uint64_t total)>;
    [[nodiscard]] Findings check(const Recorder& recorder, const Progress& progress);
    // The replayed map must equal what the server says that its map is now.
    [[nodiscard]] bool equals(const codec::MapState& state);

  private:
    // What our own search says, without the path itself.
    struct Verdict {
        model::Outcome outcome{};
        model::Cost cost{};
        std::uint64_t path_hash{};
        bool second_opinion_agrees{true};
    };
    using Question = std::pair<model::Cell, model::Cell>;

    [[nodiscard]] bool advance_to(model::Version version);
    [[nodiscard]] std::optional<std::string> fault_of(const Record& record,
                                                      const model::PathResult& result);
    [[nodiscard]] const Verdict& verdict_on(const model::PathQuery& query);

    std::unique_ptr<map::Store> store_;
    client::LandmarkNews landmarks_;
    std::vector<codec::MapEdited> batches_;
    std::size_t applied_{0};
    model::ClassId class_;
    std::shared_ptr<const map::Snapshot> snapshot_;
    std::map<Question, Verdict> verdicts_;  // of the present version
    search::BuffersPtr buffers_;
    std::uint64_t searches_{0};
    std::uint64_t other_paths_{0};
};

}  // namespace outrider::load
