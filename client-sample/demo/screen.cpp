#include "demo/screen.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdio>

namespace outrider::demo {
namespace {

// Another screen without a cursor, from its top left, and back.
constexpr const char* kEnter = "\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H";
constexpr const char* kLeave = "\x1b[?25h\x1b[?1049l";
constexpr const char* kHome = "\x1b[H";

}  // namespace

Screen::Screen(const cli::Terminal& terminal) : animated_(terminal.interactive) {
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &stop, &before_);
    signals_ = signalfd(-1, &stop, SFD_CLOEXEC);
}

Screen::~Screen() {
    if (entered_) {
        std::fputs(kLeave, stdout);
        std::fflush(stdout);
    }
    close(signals_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Screen::show(std::string_view frame) {
    if (animated_) {
        std::fputs(entered_ ? kHome : kEnter, stdout);
        entered_ = true;
    }
    std::fwrite(frame.data(), 1, frame.size(), stdout);
    if (!animated_) {
        std::fputc('\n', stdout);
    }
    std::fflush(stdout);
}

bool Screen::pause(std::chrono::milliseconds time) {
    pollfd entry{signals_, POLLIN, 0};
    return poll(&entry, 1, static_cast<int>(time.count())) <= 0;
}

}  // namespace outrider::demo
