#include "outrider/cache/path_cache.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "outrider/base/hash.hpp"

namespace outrider::cache {
namespace {

// So that a map that goes holds up nobody's question for longer than some tens of microseconds.
constexpr std::size_t kBucketsPerTurn = 512;

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
           result.explored.capacity() * sizeof(model::Explored) +
           result.smooth.points.capacity() * sizeof(model::Point);
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
        std::uint64_t{key.map.value} << 32U | std::uint64_t{query.movement_class.value} << 16U |
            static_cast<std::uint64_t>(query.algorithm) << 8U | flags,
        pack(query.start.x, query.start.y),
        pack(query.goal.rect.x, query.goal.rect.y),
        pack(query.goal.rect.width, query.goal.rect.height),
        query.goal.range,
        query.weight_percent,
        query.expansions_max,
        pack(static_cast<std::int32_t>(query.smoothing.grade), query.smoothing.clearance)};
    return base::hash64(std::as_bytes(std::span(words)));
}

void PathCache::note(model::MapId map, const map::Change& change) noexcept {
    const base::Lock lock(mutex_);
    if (ChangeLog* log = logs_.of(map)) {
        log->add(change);
    }
}

std::shared_ptr<const model::PathResult> PathCache::find(const Key& key, model::Version version,
                                                         const model::Aim& aim) {
    if (bytes_max_ == 0) {
        return nullptr;
    }
    const base::Lock lock(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end()) {
        ++counts_.misses;
        return nullptr;
    }
    Entry& entry = *found->second;
    const ChangeLog::Verdict verdict = judge(entry, version, aim);
    if (verdict != ChangeLog::Verdict::kStands) {
        ++counts_.misses;
        if (verdict == ChangeLog::Verdict::kFallen) {
            ++counts_.fallen;
            erase(found->second);
        }
        return nullptr;
    }
    ++counts_.hits;
    counts_.carried += version != entry.answer.version ? 1 : 0;
    entries_.splice(entries_.begin(), entries_, found->second);
    return entry.answer.result;
}

ChangeLog::Verdict PathCache::judge(Entry& entry, model::Version version,
                                    const model::Aim& aim) const {
    if (version < entry.answer.version) {
        return ChangeLog::Verdict::kUnknown;  // a slow asker; the entry is for later ones
    }
    if (aim != entry.answer.scope.aim) {
        return ChangeLog::Verdict::kFallen;
    }
    if (version <= entry.checked) {
        return ChangeLog::Verdict::kStands;
    }
    const ChangeLog* log = logs_.find(entry.key.map);
    if (log == nullptr) {
        return ChangeLog::Verdict::kUnknown;
    }
    const ChangeLog::Verdict verdict =
        log->judge(entry.answer.scope, entry.key.query.movement_class, entry.checked, version);
    if (verdict == ChangeLog::Verdict::kStands) {
        entry.checked = version;
    }
    return verdict;
}

void PathCache::insert(const Key& key, Answer answer) {
    const std::size_t bytes = bytes_of(*answer.result);
    if (bytes > bytes_max_ || !depends_on_question_alone(answer.result->outcome)) {
        return;
    }
    const base::Lock lock(mutex_);
    if (const auto known = index_.find(key); known != index_.end()) {
        if (known->second->checked >= answer.version) {
            return;  // of the same version it is equal by law 4: two workers had the same question
        }
        erase(known->second);
    }
    make_room(bytes, bytes_max_);
    const model::Version version = answer.version;
    entries_.push_front({key, std::move(answer), version, bytes});
    try {
        index_.emplace(key, entries_.begin());
    } catch (...) {
        entries_.pop_front();
        throw;
    }
    counts_.bytes += bytes;
    ++counts_.entries;
}

void PathCache::erase(Place place) {
    counts_.bytes -= place->bytes;
    --counts_.entries;
    index_.erase(place->key);
    entries_.erase(place);
}

void PathCache::forget(model::MapId map) {
    std::size_t buckets = 0;
    for (std::size_t next = 0;;) {
        const base::Lock lock(mutex_);
        // What was put in meanwhile may have moved them all.
        next = std::exchange(buckets, index_.bucket_count()) == index_.bucket_count() ? next : 0;
        next = forget_some(map, next);
        if (next == buckets) {
            logs_.clear(map);
            return;
        }
    }
}

std::size_t PathCache::forget_some(model::MapId map, std::size_t bucket) {
    std::vector<Place> gone;
    const std::size_t end = std::min(bucket + kBucketsPerTurn, index_.bucket_count());
    for (; bucket < end; ++bucket) {
        for (auto at = index_.begin(bucket); at != index_.end(bucket); ++at) {
            if (at->first.map == map) {
                gone.push_back(at->second);
            }
        }
    }
    for (const Place place : gone) {
        erase(place);
    }
    return end;
}

void PathCache::shrink_to(std::size_t bytes) {
    const base::Lock lock(mutex_);
    make_room(0, bytes);
}

void PathCache::make_room(std::size_t bytes, std::size_t bytes_max) {
    while (counts_.bytes + bytes > bytes_max) {
        ++counts_.evictions;
        erase(std::prev(entries_.end()));
    }
}

PathCache::Counts PathCache::counts() const {
    const base::Lock lock(mutex_);
    return counts_;
}

}  // namespace outrider::cache
