#pragma once
// What:     how much of its thread's time and of memory one session may take: the rules alone.
// Contract: a session works at most kLook at once, or kTurn where it has a turn in the line;
//           whoever had more to do than that is heavy for kHeavy. A client has proven that it reads
//           once it has taken kProofBytes: before, kUnprovenBytes wait for it and no more.
// Threads:  the session's.

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "outrider/base/clock.hpp"

namespace outrider::net {

class Share {
  public:
    // Out of line a session does at once what is done in this time, some dozen common requests.
    // Short, since all of a crowd may have something to do at once.
    static constexpr std::chrono::microseconds kLook{50};
    // Who has a turn in the line lets the others go on after this: some fifty common requests, or
    // one edit however large.
    static constexpr std::chrono::microseconds kTurn{200};
    // Who had more to do than that stands in the line at once for so long: a tick of most games.
    static constexpr std::chrono::milliseconds kHeavy{100};

    // A client may ask and never read. Until it has taken more replies than the systems on both
    // sides hold for it at first, so much waits for it and no more, here and once more in the
    // system.
    static constexpr std::size_t kUnprovenBytes = 32U << 10U;
    static constexpr std::size_t kProofBytes = 128U << 10U;

    // For a client that sent in good faith and shall find the Goodbye in place of a reset. Who
    // sends on has the linger's time to notice that nobody reads. Who never said Hello has sent
    // little in good faith.
    static constexpr std::size_t kDiscardBytesMax = 256U << 10U;
    static constexpr std::size_t kStrangerDiscardBytesMax = 32U << 10U;

    // Whether it is the others' turn, of a session that has worked for so long and has more to do.
    [[nodiscard]] bool is_used_up(base::Duration worked, bool has_turn, base::TimePoint now) {
        const bool used_up = worked >= (has_turn ? kTurn : kLook);
        if (used_up) {
            heavy_until_ = now + kHeavy;
        }
        return used_up;
    }
    // What comes waits in the line.
    [[nodiscard]] bool is_heavy(base::TimePoint now) const { return heavy_until_ > now; }

    [[nodiscard]] bool has_proven() const { return taken_bytes_ >= kProofBytes; }
    // True when it proves that the client reads.
    [[nodiscard]] bool note_taken(std::size_t bytes) {
        if (has_proven()) {
            return false;
        }
        taken_bytes_ += bytes;
        return has_proven();
    }
    // Of `most`, as the operator says.
    [[nodiscard]] std::size_t bytes_held(std::size_t most) const {
        return has_proven() ? most : std::min(most, kUnprovenBytes);
    }
    // Whether more is read after a Goodbye, of which so much has been.
    [[nodiscard]] static bool discards_on(std::size_t discarded, bool is_stranger) {
        return discarded <= (is_stranger ? kStrangerDiscardBytesMax : kDiscardBytesMax);
    }

  private:
    base::TimePoint heavy_until_{};
    std::size_t taken_bytes_{0};
};

}  // namespace outrider::net
