#pragma once
// What: what hostile peers send, ready made.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace outrider::hostile {

using Bytes = std::vector<std::byte>;

// A good Hello as request 1.
[[nodiscard]] Bytes hello(const std::string& token);
// The first bytes of a frame that says to be `length` bytes long.
[[nodiscard]] Bytes frame_begin(std::uint32_t length);
// No frame: the first length is longer than any may be.
[[nodiscard]] Bytes garbage(std::uint64_t seed, std::size_t count);
// Requests with ids from `first_id` on whose answers are larger than they are, and need no search:
// whole maps, and the list of maps.
[[nodiscard]] Bytes greedy_questions(std::uint64_t first_id, std::size_t count);

}  // namespace outrider::hostile
