#pragma once
// What:     asks the system for pages of 2 MB behind a large table that is read all over, so that
//           a look-up seldom misses the translation buffers.
// Contract: a wish, no more: where the system has none the memory stays as it was. Pages still come
//           at first touch alone, 2 MB at a time.
// Source:   decisions/0012.

#include <cstddef>

namespace outrider::search {

void wish_for_huge_pages(void* memory, std::size_t bytes);

}  // namespace outrider::search
