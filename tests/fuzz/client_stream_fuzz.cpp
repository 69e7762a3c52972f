// Any bytes as what a client sends: frames and their messages, whole and cut in two at each byte.
// Wherever TCP cuts, the server must understand the same.

#include <cstdint>

#include "fuzz/stream_cuts.hpp"
#include "outrider/base/check.hpp"
#include "outrider/codec/server_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace outrider;
    constexpr std::size_t kFrameMax = 4096;
    const auto bytes = std::as_bytes(std::span(data, size));
    const test::Frames whole = test::frames_of(bytes, 0, kFrameMax);
    test::at_each_cut(size, [&](std::size_t cut) {
        OUTRIDER_CHECK(test::frames_of(bytes, cut, kFrameMax) == whole);
    });
    codec::RequestDecoder used;
    for (const wire::Bytes& frame : whole.frames) {
        // What a decoder saw before must not show in what it says of the next message.
        const auto message = used.decode(frame);
        const auto alone = codec::RequestDecoder().decode(frame);
        OUTRIDER_CHECK(message.has_value() == alone.has_value());
        OUTRIDER_CHECK(message ? *message == *alone
                               : message.error().refusal.message == alone.error().refusal.message);
    }
    return 0;
}
