#pragma once
// What: every so many-th item, evenly spread from the first on.

#include <cstddef>
#include <vector>

namespace outrider::cli {

// All items when `count` is 0 or not below their number; otherwise exactly `count` of them.
template <class Item>
[[nodiscard]] std::vector<Item> sample_evenly(const std::vector<Item>& items, std::size_t count) {
    if (count == 0 || count >= items.size()) {
        return items;
    }
    std::vector<Item> chosen;
    chosen.reserve(count);
    for (std::size_t index = 0; index < count; ++index) {
        chosen.push_back(items[index * items.size() / count]);
    }
    return chosen;
}

}  // namespace outrider::cli
