#pragma once
// What: the ways in which a peer misbehaves, with their names for reports.

#include <array>
#include <cstdint>
#include <string_view>

namespace outrider::hostile {

enum class Kind : std::uint8_t {
    kDrip,        // says Hello a byte at a time, as slow lorises do
    kGarbage,     // sends bytes that are no frame
    kOversized,   // announces a frame of half a gigabyte, and sends on
    kDeaf,        // asks for whole maps and paths, and reads nothing
    kHelloFlood,  // connects, says Hello, hangs up, and comes again
};
inline constexpr std::array kKinds{Kind::kDrip, Kind::kGarbage, Kind::kOversized, Kind::kDeaf,
                                   Kind::kHelloFlood};

[[nodiscard]] std::string_view name_of(Kind kind);

}  // namespace outrider::hostile
