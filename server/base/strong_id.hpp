#pragma once
// What: an integer that cannot be mixed up with another kind of identity.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace outrider::base {

template <class Tag, class Rep = std::uint64_t>
struct StrongId {
    Rep value{};

    friend constexpr auto operator<=>(StrongId, StrongId) = default;
};

}  // namespace outrider::base

template <class Tag, class Rep>
struct std::hash<outrider::base::StrongId<Tag, Rep>> {
    std::size_t operator()(outrider::base::StrongId<Tag, Rep> id) const noexcept {
        return std::hash<Rep>{}(id.value);
    }
};
