#pragma once
// What: a stream of bytes through the frame reader, whole and cut in two.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "outrider/wire/frame.hpp"

namespace outrider::test {

struct Frames {
    std::vector<wire::Bytes> frames;
    std::optional<wire::FrameError> error;
    friend bool operator==(const Frames&, const Frames&) = default;
};

inline void feed(wire::FrameReader& reader, std::span<const std::byte> bytes, Frames& out) {
    while (!bytes.empty() && !out.error) {
        const auto room = reader.prepare();
        const std::size_t count = std::min(room.size(), bytes.size());
        std::ranges::copy(bytes.first(count), room.begin());
        reader.commit(count);
        bytes = bytes.subspan(count);
        auto next = reader.next();
        for (; next && *next; next = reader.next()) {
            out.frames.emplace_back((*next)->begin(), (*next)->end());
        }
        if (!next) {
            out.error = next.error();
        }
    }
}

// `cut` may be 0 and bytes.size(): then the stream is whole.
[[nodiscard]] inline Frames frames_of(std::span<const std::byte> bytes, std::size_t cut,
                                      std::size_t frame_max) {
    wire::FrameReader reader(frame_max);
    Frames frames;
    feed(reader, bytes.first(cut), frames);
    feed(reader, bytes.subspan(cut), frames);
    return frames;
}

// Long inputs are cut at so many places, evenly: the cost is a product.
inline constexpr std::size_t kCutsMax = 512;

template <class Check>
void at_each_cut(std::size_t size, const Check& check) {
    const std::size_t step = std::max<std::size_t>(1, size / kCutsMax);
    for (std::size_t cut = 0; cut <= size; cut += step) {
        check(cut);
    }
}

}  // namespace outrider::test
