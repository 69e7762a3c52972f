#pragma once
// What:     the client's half of the protocol: requests to bytes, replies from bytes.
// Contract: the decoder takes any bytes whatever; a message that it does not understand gives an
//           error that says where. A path or a map state arrives in parts: see assemble.hpp.
// Threads:  one object, one thread at a time.
// Cost:     encoding a path request allocates nothing after warm-up.
// Source:   proto/README.md.

#include <cstddef>
#include <memory>
#include <span>

#include "outrider/base/result.hpp"
#include "outrider/codec/messages.hpp"
#include "outrider/codec/output.hpp"

namespace outrider::codec {

class RequestEncoder {
  public:
    RequestEncoder();
    ~RequestEncoder();
    void encode(const ClientMessage& message, Output& out);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

class ReplyDecoder {
  public:
    ReplyDecoder();
    ~ReplyDecoder();
    [[nodiscard]] base::Result<ServerMessage> decode(std::span<const std::byte> bytes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace outrider::codec
