#pragma once
// What: the bounds of the engine that an operator sets, with their defaults. The sum of the memory
//       ones bounds the engine's memory (law 5); server/DESIGN.md, "Memory", adds them up.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "outrider/map/landmarks.hpp"
#include "outrider/model/query.hpp"
#include "outrider/model/survey.hpp"

namespace outrider::engine {

struct Config {
    // 0: no threads; the caller pumps with run_for().
    unsigned workers{1};
    // Requests admitted and not yet answered, in all and for one client. Beyond: OVERLOADED.
    std::size_t requests_max{65536};
    std::size_t requests_per_client_max{16384};
    std::size_t clients_max{4096};
    // Units whose paths are kept alive, in all and for one client, those counted whose first answer
    // is still to come. Beyond: OVERLOADED. Each may have one replan waiting besides requests_max.
    std::size_t follows_max{65536};
    std::size_t follows_per_client_max{16384};
    // Their paths and the index of them. Beyond: the follow whose new path does not fit ends.
    std::size_t follow_bytes_max{256U << 20U};
    // Searches longer than one slice that are under way at once, each with its own buffers; raised
    // to the number of workers where that is more. Beyond: a long job gives back its buffers after
    // its first slice and waits unstarted for a place, so that fresh short ones still pass.
    std::size_t suspended_max{16};
    // Snapshots of one map alive at once, at least 2. Beyond: the jobs on the oldest start again on
    // the newest, save the eldest job of the map, so that each finishes in the end.
    std::size_t snapshots_per_map_max{64};
    std::uint64_t expansions_per_slice{2048};
    // A search that takes more is long: those who asked for its first leg get it. Half a slice, so
    // that the leg is there, mostly, at the end of the first one.
    std::uint64_t first_leg_after{1024};
    // What is spent at most on looking for a first leg: most take less than a thousand expansions,
    // and ten thousand and more on mixed terrain, which is a hundredth of what such a path takes.
    std::uint64_t first_leg_expansions_max{65536};
    // Cap of PathQuery::expansions_max.
    std::uint64_t expansions_max{100'000'000};
    std::size_t cache_bytes_max{64U << 20U};
    // Surveys admitted and not yet answered, as they were asked; room for the largest at least.
    // Beyond: OVERLOADED.
    std::size_t survey_bytes_max{64U << 20U};
    // Answers of surveys, and parts of answers, that somebody still holds: the engine, or the sink
    // and whoever it gave them to. Beyond: new surveys are OVERLOADED, those admitted go on.
    std::size_t survey_result_bytes_max{512U << 20U};
    // Landmarks of all maps and classes together, 16 bytes a cell and class; a class that would
    // exceed this goes without. 0: none at all.
    std::size_t landmark_bytes_max{256U << 20U};
    // Maps of fewer cells get none.
    std::size_t landmark_cells_min{map::Landmarks::kMapCellsMin};
    // How long no edit may have made a class's terrain cheaper before its landmarks are built anew.
    std::chrono::milliseconds landmark_calm{1000};
    // A waiting request rises by one priority class each time this passes.
    std::chrono::milliseconds ageing_step{200};
    // What a refusal for overload tells the client to wait.
    std::chrono::milliseconds retry_after{100};
    // Sink::on_slow tells of requests that took this long or longer; 0: of none.
    std::chrono::milliseconds slow_request{0};
    // How long a request of normal priority may be expected to wait once overload lasts, or as long
    // as its own work would take where that is more; half of it for low, twice for high, four times
    // for urgent. Beyond: OVERLOADED, with the time after which there is room again. 0: no such
    // bound, and what is admitted waits as long as it takes.
    std::chrono::milliseconds queue_wait{0};
    // How long a queue may be longer than that, before overload is said to last: a wave of orders.
    std::chrono::milliseconds overload_patience{100};
    // How long a request may be expected to wait at any time, in a wave of orders too, or as long
    // as its own work would take where that is more. Beyond: OVERLOADED, as above. 0: no such
    // bound.
    std::chrono::milliseconds wait_max{0};
    // All parts of memory together (engine/memory.hpp). Beyond: what needs more is OVERLOADED, maps
    // are not added; from nine tenths on caches shrink. 0: no ceiling but the sum of the others.
    std::size_t memory_max{0};
    // For tests: called by the worker before each slice, with no lock held. If it throws, that job
    // is answered with kInternal.
    std::function<void(const model::PathQuery&)> before_slice{};
    std::function<void(const model::Survey&)> before_survey_slice{};
};

}  // namespace outrider::engine
