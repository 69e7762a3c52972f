#pragma once
// What:     the one door to surveys: start one on a layer, step it with a budget of expansions,
//           take its parts and its result.
// Contract: as search.hpp: the answer, and how it is cut into parts, depends on layer and survey
//           alone. Distances are exact; where a wave answers, a path is the one that descends the
//           field against the first, in the order of moves, of the moves that Field::arrivals()
//           names; a group may be settled by jumps (survey_group.hpp). The layer must
//           outlive the search.
//           Not offered, and so refused by validate(): ends of their own and formations of groups.
// Threads:  one thread at a time; a suspended survey may move to another thread with its buffers.
// Cost:     a wave settles 25 to 60 million cells a second; eight bytes a cell that it comes near;
//           a group by jumps as jump point search, sixteen bytes a cell.
// Source:   search/field.hpp; server/search/README.md.

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>

#include "outrider/map/layer.hpp"
#include "outrider/map/snapshot.hpp"
#include "outrider/model/outcome.hpp"
#include "outrider/model/survey.hpp"
#include "outrider/search/search.hpp"

namespace outrider::search {

// Bounds, class, counts: what may be wrong with a survey as such. `field` is spelt as in the
// protocol ("survey.group.starts").
[[nodiscard]] std::expected<void, model::Refusal> validate(const map::Snapshot& snapshot,
                                                           const model::Survey& survey);

// The answer where no wave is needed: connected, sight, blocked starts, goals that nobody reaches.
// Needs a valid survey.
[[nodiscard]] std::optional<model::SurveyResult> verdict(const map::Layer& layer,
                                                         const model::Survey& survey);

class SurveySearch {
  public:
    SurveySearch();
    ~SurveySearch();
    SurveySearch(SurveySearch&&) noexcept;
    SurveySearch& operator=(SurveySearch&&) noexcept;

    // Needs a valid survey, which must outlive the search. Forgets whatever ran before.
    void start(const map::Layer& layer, const model::Survey& survey);
    // Expands about `expansions_max` cells, at least one, or does other work of as much time.
    [[nodiscard]] Step step(std::uint64_t expansions_max);
    // The work so far, for who is to be charged: seeding, looking and writing count too, by the
    // time that they take beside settling a cell. What the result reports are the cells that the
    // answer needed.
    [[nodiscard]] std::uint64_t expansions() const;
    // Parts of a group that have become ready, one a call, until there is none.
    [[nodiscard]] std::optional<model::SurveyResult> take_part();
    // After kDone, once: the last part, or the whole.
    [[nodiscard]] model::SurveyResult take_result();
    // Before kDone: ends here with what is settled (kDeadline), or with nothing more (kCancelled).
    // Where there is much to write it goes on by step(), to kDone.
    [[nodiscard]] Step stop(model::Outcome outcome);
    // Of the buffers, which are kept from survey to survey.
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// start + step to the end, for callers without slices; a group's parts are put together.
[[nodiscard]] model::SurveyResult run(const map::Layer& layer, const model::Survey& survey);

}  // namespace outrider::search
