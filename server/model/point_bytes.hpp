#pragma once
// What: points as the bytes that hashes run over: int32 x, y, little-endian.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace outrider::model {

template <class Place>
[[nodiscard]] std::vector<std::byte> bytes_of(std::span<const Place> places) {
    std::vector<std::byte> bytes;
    bytes.reserve(places.size() * 8);
    const auto append = [&bytes](std::int32_t value) {
        const auto bits = static_cast<std::uint32_t>(value);
        for (const unsigned shift : {0U, 8U, 16U, 24U}) {
            bytes.push_back(static_cast<std::byte>((bits >> shift) & 0xFFU));
        }
    };
    for (const Place& place : places) {
        append(place.x);
        append(place.y);
    }
    return bytes;
}

}  // namespace outrider::model
