#include "outrider/cache/path_cache.hpp"

#include <array>
#include <span>
#include <utility>

#include "outrider/base/hash.hpp"

namespace outrider::cache {
namespace {

bool depends_on_question_alone(model::Outcome outcome) {
    switch (outcome) {
        case model::Outcome::kComplete:
        case model::Outcome::kPartial:
        case model::Outcome::kUnreachable:
        case model::Outcome::kStartBlocked:
        case model::Outcome::kGoalBlocked:
        case model::Outcome::kBudget: return true;
        case model::Outcome::kDeadline:
        case model::Outcome::kCancelled:
        case model::Outcome::kSuperseded: return false;
    }
    return false;
}

std::size_t bytes_of(const model::PathResult& result) {
    return PathCache::kEntryBytes + result.turning_points.capacity() * sizeof(model::Cell) +
           result.explored.capacity() * sizeof(model::Explored);
}

std::uint64_t pack(std::int32_t high, std::int32_t low) {
    return std::uint64_t{static_cast<std::uint32_t>(high)} << 32U |
           std::uint64_t{static_cast<std::uint32_t>(low)};
}

}  // namespace

std::uint64_t hash_of(const Key& key) {
    const model::PathQuery& query = key.query;
    const std::uint64_t flags = (query.allow_partial ? 1U : 0U) |
                                (query.leave_blocked_start ? 2U : 0U) | (query.explain ? 4U : 0U);
    const std::array<std::uint64_t, 8> words{
        key.version,
        std::uint64_t{key.map.value} << 32U | std::uint64_t{query.movement_class.value} << 16U |
            static_cast<std::uint64_t>(query.algorithm) << 8U | flags,
        pack(query.start.x, query.start.y),
        pack(query.goal.rect.x, query.goal.rect.y),
        pack(query.goal.rect.width, query.goal.rect.height),
        query.goal.range,
        query.weight_percent,
        query.expansions_max};
    return base::hash64(std::as_bytes(std::span(words)));
}

std::shared_ptr<const model::PathResult> PathCache::find(const Key& key) {
    if (bytes_max_ == 0) {
        return nullptr;
    }
    const base::Lock lock(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end()) {
        ++counts_.misses;
        return nullptr;
    }
    ++counts_.hits;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->result;
}

void PathCache::insert(const Key& key, std::shared_ptr<const model::PathResult> result) {
    const std::size_t bytes = bytes_of(*result);
    if (bytes > bytes_max_ || !depends_on_question_alone(result->outcome)) {
        return;
    }
    const base::Lock lock(mutex_);
    if (index_.contains(key)) {
        return;  // equal by law 4: two workers had the same question
    }
    make_room(bytes);
    entries_.push_front({key, std::move(result), bytes});
    index_.emplace(key, entries_.begin());
    counts_.bytes += bytes;
    ++counts_.entries;
}

void PathCache::make_room(std::size_t bytes) {
    while (counts_.bytes + bytes > bytes_max_) {
        const Entry& oldest = entries_.back();
        counts_.bytes -= oldest.bytes;
        --counts_.entries;
        ++counts_.evictions;
        index_.erase(oldest.key);
        entries_.pop_back();
    }
}

PathCache::Counts PathCache::counts() const {
    const base::Lock lock(mutex_);
    return counts_;
}

}  // namespace outrider::cache
