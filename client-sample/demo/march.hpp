#pragma once
// What:     the show: an army crosses a map while buildings rise in its way. Every unit is
//           followed: it orders once, and the server pushes a new path when an edit closes the old
//           one, or when it stepped off its path for another unit.
// Contract: the same map, units and seed give the same march, whatever the speed: the army reports
//           where it is before each edit, and waits for every push that its mirror of the map says
//           must come before it takes its next step. Leaves the map as it was.

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/samples.hpp"
#include "demo/army.hpp"
#include "demo/builder.hpp"
#include "demo/feed.hpp"
#include "demo/frame.hpp"
#include "demo/screen.hpp"
#include "outrider/client/map_mirror.hpp"

namespace outrider::demo {

struct MarchOptions {
    std::uint32_t units{60};
    std::uint64_t seed{1};
    std::chrono::milliseconds length{20000};
    cli::Terminal terminal;
};

enum class Ending { kAllArrived, kSomeStuck, kStopped };

class March {
  public:
    March(client::Client& client, std::shared_ptr<client::MapMirror> mirror,
          const MarchOptions& options);

    [[nodiscard]] client::Result<Ending> run(Screen& screen);
    [[nodiscard]] std::string summary_text() const { return summary(army_, tally_); }

  private:
    [[nodiscard]] client::Result<void> edit(model::EditBatch batch);
    [[nodiscard]] client::Result<void> build_or_demolish();
    // After an edit: paths that it closed, or made possible, are pushed.
    [[nodiscard]] client::Result<void> take_pushes();
    // One write, then all answers.
    [[nodiscard]] client::Result<void> order(const std::vector<std::size_t>& units);
    // Where all are now. Who stepped off its path gets another from there.
    [[nodiscard]] client::Result<void> report();
    [[nodiscard]] bool can_arrive(const units::Unit& unit) const;
    void note_answer(double elapsed_ms);
    [[nodiscard]] bool over() const;
    void show(Screen& screen);

    client::Client& client_;
    std::shared_ptr<client::MapMirror> mirror_;
    MarchOptions options_;
    Army army_;
    Builder builder_;
    Feed feed_;
    std::vector<bool> seen_off_;  // the server knows that it has arrived
    Tally tally_;
    cli::Samples answer_ms_;
    std::uint32_t tick_{0};
};

}  // namespace outrider::demo
