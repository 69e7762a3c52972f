#pragma once
// What:     where an encoder puts its bytes. The caller frames them, so that codec and wire need
//           not know one another.
// Contract: message_space() returns exactly `bytes` writable bytes, valid until the next call; the
//           encoder fills them all before it returns.

#include <cstddef>
#include <span>

namespace outrider::codec {

class Output {
  public:
    virtual ~Output() = default;
    [[nodiscard]] virtual std::span<std::byte> message_space(std::size_t bytes) = 0;
};

}  // namespace outrider::codec
