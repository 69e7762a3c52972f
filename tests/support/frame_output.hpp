#pragma once
// What: encoded messages gathered as one run of frames.

#include <cstddef>
#include <span>
#include <utility>

#include "outrider/codec/output.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::test {

class FrameOutput final : public codec::Output {
  public:
    [[nodiscard]] std::span<std::byte> message_space(std::size_t bytes) override {
        return wire::append_frame_space(bytes_, bytes);
    }
    [[nodiscard]] wire::Bytes take() { return std::exchange(bytes_, {}); }

  private:
    wire::Bytes bytes_;
};

}  // namespace outrider::test
