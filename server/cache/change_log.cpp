#include "outrider/cache/change_log.hpp"

#include <new>

namespace outrider::cache {

void ChangeLog::add(const map::Change& change) noexcept {
    if (newest_ == 0) {
        floor_ = change.version - 1;
    }
    newest_ = change.version;
    try {
        push_all(change);
    } catch (const std::bad_alloc&) {
        // What is not known may have changed everything.
        floor_ = newest_;
        ring_.clear();
        next_ = 0;
    }
}

void ChangeLog::push_all(const map::Change& change) {
    if (change.classes == 0) {
        return;
    }
    for (const model::Rect& rect : change.rects) {
        push({change.version, rect, change.classes, 0});
    }
    if (change.renewed != 0) {
        push({change.version, {}, change.renewed, change.renewed});
    }
}

void ChangeLog::push(const Record& record) {
    if (ring_.size() < kChangesMax) {
        ring_.push_back(record);
        return;
    }
    floor_ = ring_[next_].version;
    ring_[next_] = record;
    next_ = (next_ + 1) % kChangesMax;
}

ChangeLog::Verdict ChangeLog::judge(const model::Scope& scope, model::ClassId seen_by,
                                    model::Version from, model::Version to) const {
    if (from == to) {
        return Verdict::kStands;
    }
    if (from < floor_) {
        return Verdict::kFallen;
    }
    if (to > newest_) {
        return Verdict::kUnknown;
    }
    const map::ClassSet bit = map::ClassSet{1} << seen_by.value;
    for (std::size_t age = 1; age <= ring_.size(); ++age) {
        const Record& record = ring_[(next_ + ring_.size() - age) % ring_.size()];
        if (record.version <= from) {
            break;
        }
        const bool seen = record.version <= to && (record.classes & bit) != 0;
        if (seen && ((record.renewed & bit) != 0 || scope.touches(record.rect))) {
            return Verdict::kFallen;
        }
    }
    return Verdict::kStands;
}

}  // namespace outrider::cache
