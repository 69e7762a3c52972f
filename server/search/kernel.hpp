#pragma once
// What:     what every kernel is to the door: begin, step, and a trail from any cell that it closed
//           back to the start.
// Contract: begin() before anything else. A kernel reads task and buffers alone; where its steps
//           are cut changes nothing.

#include <cstdint>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/cost.hpp"
#include "outrider/search/buffers.hpp"
#include "outrider/search/task.hpp"

namespace outrider::search {

enum class Progress : std::uint8_t { kRunning, kReached, kExhausted, kBudget };

// A closed cell. `distance` is octile, to the goal's rectangle.
struct Closed {
    model::Cost distance{};
    model::Cost g{};  // in the kernel's own unit
    model::CellIndex cell{};

    // Nearer to the goal, then cheaper, then the smaller index.
    friend auto operator<=>(const Closed&, const Closed&) = default;
};

class Kernel {
  public:
    virtual ~Kernel() = default;

    virtual void begin(const Task& task, Buffers& buffers) = 0;
    virtual Progress step(std::uint64_t expansions_max) = 0;
    // Fills `points` from end to start; legs between points are straight or exactly diagonal.
    // Returns what the path costs, in the kernel's unit: for the end of a partial path this may be
    // less than its g, where a cell on the way has been found cheaper since.
    virtual model::Cost trail(model::CellIndex end, std::vector<model::Cell>& points) const = 0;
    // Factor from the kernel's unit of g to model::Cost.
    [[nodiscard]] virtual model::Cost unit() const = 0;

    [[nodiscard]] std::uint64_t expansions() const { return expansions_; }
    // After kReached the goal cell; before, the best end of a partial path so far.
    [[nodiscard]] const Closed& best() const { return best_; }

  protected:
    void restart(const Task& task) {
        expansions_ = 0;
        best_ = {task.goal.distance(task.start.x, task.start.y), 0,
                 task.index_of(task.start.x, task.start.y)};
    }
    [[nodiscard]] bool spent(const Task& task) const {
        return task.expansions_max != 0 && expansions_ >= task.expansions_max;
    }
    // For kernels that run others: what they did so far.
    void report(const Closed& best, std::uint64_t expansions) {
        best_ = best;
        expansions_ = expansions;
    }
    // For a cell that is known to be farther from the goal than best().
    void close_far() { ++expansions_; }
    // True when the closed cell is the goal.
    bool close(const Closed& closed, model::Cost range) {
        ++expansions_;
        if (closed.distance <= best_.distance && closed < best_) [[unlikely]] {
            best_ = closed;
        }
        if (closed.distance > range) {
            return false;
        }
        best_ = closed;
        return true;
    }

  private:
    std::uint64_t expansions_{0};
    Closed best_;
};

}  // namespace outrider::search
