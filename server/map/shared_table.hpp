#pragma once
// What:     a table of shared pointers in groups, so that a copy shares whole groups and a change
//           copies one group and one entry.
// Contract: a copy is changed only while its parent is alive: then whatever the two share is held
//           at least twice, and what is held once was made for this copy alone.
// Threads:  many readers, or one writer that nobody else knows of yet.
// Cost:     copy: one reference count a group. replace: at most one group.

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "outrider/map/warm.hpp"

namespace outrider::map {

// Groups near the square root of the longest table: a copy touches as many groups as an edit
// touches entries of one group.
template <class Pointer, std::size_t kGroupEntries>
class SharedTable {
  public:
    SharedTable() = default;
    SharedTable(std::size_t count, const Pointer& initial)
        : groups_((count + kGroupEntries - 1) / kGroupEntries) {
        for (auto& group : groups_) {
            group = std::make_shared<Group>();
            group->fill(initial);
        }
    }

    [[nodiscard]] const Pointer& operator[](std::size_t index) const {
        return (*groups_[index / kGroupEntries])[index % kGroupEntries];
    }
    // True when no other table holds the entry.
    [[nodiscard]] bool owned(std::size_t index) const {
        const auto& group = groups_[index / kGroupEntries];
        return group.use_count() == 1 && (*group)[index % kGroupEntries].use_count() == 1;
    }
    void replace(std::size_t index, Pointer entry) {
        auto& group = groups_[index / kGroupEntries];
        if (group.use_count() != 1) {
            group = std::make_shared<Group>(*group);
        }
        (*group)[index % kGroupEntries] = std::move(entry);
    }

    // What replace() will read, one pointer deep a step.
    void warm_table() const { warm_bytes(groups_.data(), groups_.size() * sizeof(groups_[0])); }
    void warm_groups(std::size_t index) const {
        for (const auto& group : groups_) {
            warm_count(group.get());
        }
        warm_bytes(groups_[index / kGroupEntries].get(), sizeof(Group));
    }
    void warm_entries(std::size_t index) const {
        for (const Pointer& entry : *groups_[index / kGroupEntries]) {
            warm_count(entry.get());
        }
    }

  private:
    using Group = std::array<Pointer, kGroupEntries>;

    std::vector<std::shared_ptr<Group>> groups_;
};

}  // namespace outrider::map
