#pragma once
// What:     encoded messages appended to bytes as frames.
// Contract: a message above `message_bytes_max` is given room of its own and left out; oversized()
//           then says so.

#include <cstddef>
#include <limits>
#include <span>

#include "outrider/codec/output.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::client {

class FrameOutput final : public codec::Output {
  public:
    explicit FrameOutput(wire::Bytes& bytes,
                         std::size_t message_bytes_max = std::numeric_limits<std::size_t>::max())
        : bytes_(bytes), message_bytes_max_(message_bytes_max) {}

    [[nodiscard]] std::span<std::byte> message_space(std::size_t bytes) override {
        if (bytes > message_bytes_max_) {
            oversized_.resize(bytes);
            return oversized_;
        }
        return wire::append_frame_space(bytes_, bytes);
    }
    [[nodiscard]] bool oversized() const { return !oversized_.empty(); }

  private:
    wire::Bytes& bytes_;
    std::size_t message_bytes_max_;
    wire::Bytes oversized_;
};

}  // namespace outrider::client
