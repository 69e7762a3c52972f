// Any bytes in any cuts through the frame reader: the first byte says how they are cut. And cut in
// two at each byte: the same frames, and the same error.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/stream_cuts.hpp"
#include "outrider/base/check.hpp"
#include "outrider/wire/frame.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace outrider;
    if (size == 0) {
        return 0;
    }
    constexpr std::size_t kFrameMax = 1000;
    const std::size_t cut = 1 + data[0] % 64U;
    auto bytes = std::as_bytes(std::span(data + 1, size - 1));
    const test::Frames whole = test::frames_of(bytes, 0, kFrameMax);
    test::at_each_cut(bytes.size(), [&](std::size_t place) {
        OUTRIDER_CHECK(test::frames_of(bytes, place, kFrameMax) == whole);
    });
    wire::FrameReader reader(kFrameMax);
    while (!bytes.empty()) {
        const auto room = reader.prepare();
        const std::size_t count = std::min({cut, room.size(), bytes.size()});
        std::ranges::copy(bytes.first(count), room.begin());
        reader.commit(count);
        bytes = bytes.subspan(count);
        for (auto next = reader.next(); next && *next; next = reader.next()) {
            OUTRIDER_CHECK((*next)->size() <= kFrameMax);
        }
        OUTRIDER_CHECK(reader.capacity_bytes() <= wire::kBufferBytesMin);
    }
    return 0;
}
