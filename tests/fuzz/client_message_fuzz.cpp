// Any bytes as a client's message. What is accepted must come back the same after encoding.

#include <cstddef>
#include <cstdint>
#include <span>

#include "outrider/base/check.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/server_codec.hpp"
#include "support/collect_output.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace outrider;
    codec::RequestDecoder decoder;
    const auto message = decoder.decode(std::as_bytes(std::span(data, size)));
    if (!message) {
        OUTRIDER_CHECK(!message.error().refusal.message.empty());
        return 0;
    }
    test::CollectOutput out;
    codec::RequestEncoder().encode(*message, out);
    const auto again = decoder.decode(out.messages[0]);
    OUTRIDER_CHECK(again.has_value() && *again == *message);
    return 0;
}
