#pragma once
// What:     where frames go, and the time between them: an animation on a terminal, a handful of
//           frames one under the other in a pipe.
// Contract: the terminal is as before when the Screen is gone, also after Ctrl-C, which pause()
//           reports. Make it before any thread starts, since it blocks SIGINT and SIGTERM.

#include <chrono>
#include <csignal>
#include <string_view>

#include "cli/terminal.hpp"

namespace outrider::demo {

class Screen {
  public:
    explicit Screen(const cli::Terminal& terminal);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    [[nodiscard]] bool animated() const { return animated_; }
    void show(std::string_view frame);
    // False when the user wants to stop.
    [[nodiscard]] bool pause(std::chrono::milliseconds time);

  private:
    bool animated_;
    // From the first frame on, so that an error before it stays readable.
    bool entered_{false};
    int signals_;
    sigset_t before_{};
};

}  // namespace outrider::demo
