#include "outrider/engine/metrics.hpp"

#include <algorithm>
#include <bit>

namespace outrider::engine {

RequestKind kind_of(const model::Survey& survey) {
    static_assert(std::variant_size_v<decltype(survey.query)> + 1 == kKindCount);
    return static_cast<RequestKind>(survey.query.index() + 1);
}

std::string_view name_of(RequestKind kind) {
    switch (kind) {
        case RequestKind::kPath: return "path";
        case RequestKind::kGroup: return "group";
        case RequestKind::kNearest: return "nearest";
        case RequestKind::kReach: return "reach";
        case RequestKind::kMatrix: return "matrix";
        case RequestKind::kField: return "field";
        case RequestKind::kConnected: return "connected";
        case RequestKind::kSight: return "sight";
    }
    return "?";
}

std::string_view name_of(model::Priority priority) {
    switch (priority) {
        case model::Priority::kLow: return "low";
        case model::Priority::kNormal: return "normal";
        case model::Priority::kHigh: return "high";
        case model::Priority::kUrgent: return "urgent";
    }
    return "?";
}

std::string_view name_of_end(std::size_t end) {
    return is_refusal(end)
               ? model::name_of(static_cast<model::RefusalCode>(end - model::kOutcomeCount))
               : model::name_of(static_cast<model::Outcome>(end));
}

void Histogram::add(base::Duration time) {
    constexpr auto kFirstNs = static_cast<std::uint64_t>(base::Duration(kFirst).count());
    const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 1));
    // Both bounds of a bucket are kFirst times a power of two; the upper one belongs to it.
    const auto bucket = static_cast<std::size_t>(std::bit_width((ns - 1) / kFirstNs));
    ++buckets_[std::min(bucket, kBounds)];
    ++count_;
    sum_ += base::Duration(static_cast<std::int64_t>(ns));
}

}  // namespace outrider::engine
