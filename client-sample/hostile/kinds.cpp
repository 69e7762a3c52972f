#include "hostile/kinds.hpp"

namespace outrider::hostile {

std::string_view name_of(Kind kind) {
    switch (kind) {
        case Kind::kDrip: return "drip";
        case Kind::kGarbage: return "garbage";
        case Kind::kOversized: return "oversized";
        case Kind::kDeaf: return "deaf";
        case Kind::kHelloFlood: return "hello_flood";
    }
    return "unknown";
}

}  // namespace outrider::hostile
