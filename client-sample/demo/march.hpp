#pragma once
// What:     the show: an army crosses a map while buildings rise in its way. Every path comes from
//           the server; the mirror of the map tells which paths an edit broke.
// Contract: the same map, units and seed give the same march, whatever the speed: the army waits
//           for every answer before it takes its next step. Leaves the map as it was.

#include <chrono>
#include <cstdint>
#include <string>

#include "cli/samples.hpp"
#include "demo/army.hpp"
#include "demo/builder.hpp"
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
    // New paths for all that want one: one write, then all answers.
    [[nodiscard]] client::Result<void> plan(bool retry_stuck);
    [[nodiscard]] bool over() const;
    void show(Screen& screen);

    client::Client& client_;
    std::shared_ptr<client::MapMirror> mirror_;
    MarchOptions options_;
    Army army_;
    Builder builder_;
    Tally tally_;
    cli::Samples answer_ms_;
    std::uint32_t tick_{0};
};

}  // namespace outrider::demo
