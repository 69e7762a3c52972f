#pragma once
// What:    a job (one search, for one or more requests), the bench it is worked on, and what one
//          slice of it brought. Private to the engine room.
// Threads: guarded by the engine's lock, except while kRunning: then bench, live, stopped,
//          leg_stage and expansions belong to the worker, and map, work, snapshot, version, collect
//          and leg_wanted stay as they are.

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "outrider/engine/map_table.hpp"
#include "outrider/engine/scheduler.hpp"
#include "outrider/map/snapshot.hpp"
#include "outrider/model/request.hpp"
#include "outrider/search/search.hpp"
#include "outrider/search/survey.hpp"

namespace outrider::engine {

// Buffers and the searches on them, kept together from job to job.
struct Workbench {
    search::BuffersPtr buffers{search::make_buffers()};
    search::Search search;
    std::unique_ptr<search::SurveySearch> survey;  // made when first needed
    std::size_t bytes{};                           // as counted by the engine
};

// What is asked: a path, normalised, or a survey, which may be large.
using Work = std::variant<model::PathQuery, std::shared_ptr<const model::Survey>>;
// What comes of it, of the same kind; never null.
using Result = std::variant<std::shared_ptr<const model::PathResult>,
                            std::shared_ptr<const model::SurveyResult>>;
using SurveyPart = std::shared_ptr<const model::SurveyResult>;

enum class JobState : std::uint8_t {
    kWaiting,   // in the scheduler, live (suspended) or not
    kStopping,  // deadline passed; a worker is to collect the partial answer
    kRunning,
};

// How it stands with the beginning of a path that somebody wants ahead of it.
enum class LegStage : std::uint8_t {
    kOpen,    // the job's search is not known to be long
    kSought,  // it is: the search on the bench looks for the leg, and the job's begins anew after
              // it
    kOver,    // found, or not to be had
};

struct Job {
    JobIndex self{};
    MapPtr map;
    Work work;
    model::Priority priority{model::Priority::kNormal};
    base::TimePoint queued_at;
    std::uint64_t slices{};
    std::uint64_t admission{};  // order of arrival
    base::Duration estimate{};  // what it was thought to take when it came
    JobState state{JobState::kWaiting};
    // Its requests, a list through the request table; the first one's client pays for the work.
    std::uint32_t first_request{kNowhere};
    std::uint32_t last_request{kNowhere};
    std::uint32_t request_count{};
    model::ClientId billed;  // who pays for the slice that runs
    bool listed{false};      // new identical requests may find it
    bool has_slot{false};
    bool restart{false};   // leave the snapshot at the end of the slice
    bool stopping{false};  // end with kDeadline at the end of the slice
    bool collect{false};   // from this slice on it only reads what it has, or writes it
    bool stopped{false};   // the search has been told so

    // Empty and 0 until it starts, and again after a restart. The job's own where its query ignores
    // an obstacle.
    std::shared_ptr<const map::Snapshot> snapshot;
    model::Version version{};
    std::unique_ptr<Workbench> bench;
    bool live{false};            // the search on the bench is this job's
    std::uint64_t expansions{};  // of the search on the bench

    // Of all slices, whatever had to be done again: for estimates, and for who watches the engine.
    std::optional<base::TimePoint> started_at;
    base::TimePoint picked_at;
    base::Duration searched{};  // time on a worker
    std::uint64_t work_done{};
    std::uint64_t restarts{};

    // Of a path: some request wants its first leg. Changes only while no search has begun.
    bool leg_wanted{false};
    LegStage leg_stage{LegStage::kOpen};
    // Once found, of this version.
    std::shared_ptr<const model::FirstLeg> leg;

    // Of a group: parts that may not be sent as long as the job may have to leave its snapshot.
    std::vector<SurveyPart> held;
    // A part has been sent: the job never leaves its snapshot.
    bool pinned{false};

    [[nodiscard]] const model::PathQuery* path() const {
        return std::get_if<model::PathQuery>(&work);
    }
    // Null for a path.
    [[nodiscard]] const model::Survey* survey() const {
        const auto* survey = std::get_if<std::shared_ptr<const model::Survey>>(&work);
        return survey == nullptr ? nullptr : survey->get();
    }
};

struct SliceReport {
    enum class Kind : std::uint8_t { kUnfinished, kDone, kRefused, kFailed };
    Kind kind{Kind::kUnfinished};
    Result result;                        // for kDone
    std::uint64_t work{};                 // expansions of this slice
    std::size_t bytes_lost{};             // of a bench that was thrown away
    std::optional<model::Scope> scope{};  // of a result that may be kept
    std::vector<SurveyPart> parts{};      // of a group, in order
    std::shared_ptr<const model::FirstLeg> leg{};
    std::optional<model::Refusal> refusal{};  // for kRefused
    // The search began on this one, which takes the place of the job's: the newest without the
    // obstacle that the query ignores.
    std::shared_ptr<const map::Snapshot> view{};
};

}  // namespace outrider::engine
