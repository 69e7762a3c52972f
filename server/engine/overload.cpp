#include "outrider/engine/overload.hpp"

#include <algorithm>

#include "outrider/model/rect_distance.hpp"
#include "outrider/model/survey.hpp"

namespace outrider::engine {
namespace {

// Besides its length a way costs its set-up.
constexpr std::uint64_t kCellsBesides = 16;
constexpr std::uint64_t kFade = 64;
constexpr std::size_t kAlgorithms = 8;
// A longer estimate says no more; keeps sums over a full queue in 64 bits.
constexpr base::Duration kJobMax = std::chrono::seconds(10);

}  // namespace

Estimates::Size Estimates::size_of(const Work& work) {
    if (const auto* path = std::get_if<model::PathQuery>(&work)) {
        const std::size_t kind =
            std::min(static_cast<std::size_t>(path->algorithm), kAlgorithms - 1);
        return {kind, model::distance_between(path->goal.rect, path->start) / model::kStraight +
                          kCellsBesides};
    }
    const auto& survey = std::get<std::shared_ptr<const model::Survey>>(work);
    return {std::min(kAlgorithms + survey->query.index(), kKinds - 1), 1};
}

base::Duration Estimates::of(model::MapId map, const Work& work) const {
    const Size size = size_of(work);
    const auto* rates = rates_.find(map);
    if (rates == nullptr || (*rates)[size.kind].size == 0) {
        return base::Duration::zero();
    }
    const Rate& rate = (*rates)[size.kind];
    const std::uint64_t each = rate.busy_ns / rate.size;
    return std::min(kJobMax, base::Duration(each * size.size));
}

void Estimates::note(model::MapId map, const Work& work, base::Duration busy) {
    const Size size = size_of(work);
    auto* rates = rates_.of(map);
    if (rates == nullptr) {
        return;  // the map has been dropped, and another one has its place
    }
    Rate& rate = (*rates)[size.kind];
    rate.busy_ns -= rate.busy_ns / kFade;
    rate.size -= rate.size / kFade;
    rate.busy_ns +=
        static_cast<std::uint64_t>(std::clamp(busy, base::Duration::zero(), kJobMax).count());
    rate.size += size.size;
}

std::optional<base::Duration> DoorKeeper::refuses(const DoorRules& rules, const Errand& errand,
                                                  base::TimePoint now) {
    if (rules.queue_wait > base::Duration::zero()) {
        if (const auto stay_away = sheds_off(rules, errand, now)) {
            return stay_away;
        }
    }
    const base::Duration longest = std::max<base::Duration>(rules.wait_max, errand.estimate);
    if (rules.wait_max == base::Duration::zero() || errand.wait <= longest) {
        return std::nullopt;
    }
    return errand.wait - longest;
}

std::optional<base::Duration> DoorKeeper::sheds_off(const DoorRules& rules, const Errand& errand,
                                                    base::TimePoint now) {
    const base::Duration bearable = std::max<base::Duration>(rules.queue_wait, errand.estimate);
    if (errand.wait <= bearable || !short_at_) {
        short_at_ = now;
    }
    if (sheds_ && now - refused_at_ > kCalm) {
        sheds_ = false;
        short_at_ = now;
    }
    if (!sheds_ && now - *short_at_ > rules.patience) {
        sheds_ = true;
        refused_at_ = now;
    }
    const base::Duration bound = bearable * (1 << static_cast<int>(errand.priority)) / 2;
    if (!sheds_ || errand.wait <= bound) {
        return std::nullopt;
    }
    refused_at_ = now;
    return errand.wait - bound;
}

}  // namespace outrider::engine
