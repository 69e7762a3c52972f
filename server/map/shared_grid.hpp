#pragma once
// What:     something shared for each chunk of a map, and a ring of guards around the map. Rows of
//           chunks are shared too, and both levels in groups of eight:
//
//             grid -> 8 rows -> row -> 8 entries -> entry
//
// Contract: places (-1, -1) .. (across, down) are readable; the ring holds what the grid was made
//           with and is never replaced. Changed only while the parent of this copy is alive, as
//           SharedTable.
// Threads:  as SharedTable.
// Cost:     read: two loads. Copy: a pointer a row and a count for eight of them. replace: the same
//           for one row. At 4096 x 4096 cells both together count 34 references and copy 1 KB.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "outrider/map/chunk.hpp"
#include "outrider/map/shared_table.hpp"

namespace outrider::map {

template <class T>
class SharedGrid {
  public:
    using Entry = std::shared_ptr<T>;

    SharedGrid() = default;
    SharedGrid(std::int32_t across, std::int32_t down, const Entry& initial)
        : across_(across), down_(down), flat_(index_of(down) + 1) {
        auto row = std::make_shared<Row>();
        row->flat.assign(index_of(across) + 1, initial.get());
        row->entries = {row->flat.size(), initial};
        flat_.assign(flat_.size(), row->flat.data() + 1);
        rows_ = {flat_.size(), std::move(row)};
    }

    [[nodiscard]] std::int32_t across() const { return across_; }
    [[nodiscard]] std::int32_t down() const { return down_; }
    [[nodiscard]] bool contains(ChunkPlace place) const {
        return place.x >= 0 && place.y >= 0 && place.x < across_ && place.y < down_;
    }
    // The chunks of row y, from index -1 to index across().
    [[nodiscard]] T* const* row(std::int32_t y) const { return flat_[index_of(y)]; }
    [[nodiscard]] T* at(ChunkPlace place) const { return row(place.y)[place.x]; }
    // For a second grid that is to hold the same.
    [[nodiscard]] const Entry& entry(ChunkPlace place) const {
        return rows_[index_of(place.y)]->entries[index_of(place.x)];
    }
    [[nodiscard]] bool owned(ChunkPlace place) const {
        const std::size_t y = index_of(place.y);
        return rows_.owned(y) && rows_[y]->entries.owned(index_of(place.x));
    }
    void replace(ChunkPlace place, Entry entry) {
        const std::size_t y = index_of(place.y);
        if (!rows_.owned(y)) {
            auto row = std::make_shared<Row>(*rows_[y]);
            flat_[y] = row->flat.data() + 1;
            rows_.replace(y, std::move(row));
        }
        Row& row = *rows_[y];
        row.flat[index_of(place.x)] = entry.get();
        row.entries.replace(index_of(place.x), std::move(entry));
    }

    // What replace() will read.
    void warm(ChunkPlace place, WarmStep step) const {
        const std::shared_ptr<Row>& row = rows_[index_of(place.y)];
        switch (step) {
            case WarmStep::kRow:
                warm_count(row.get());
                warm_bytes(row.get(), sizeof(Row));
                break;
            case WarmStep::kTables:
                warm_bytes(row->flat.data(), row->flat.size() * sizeof(T*));
                row->entries.warm_table();
                break;
            case WarmStep::kGroups: row->entries.warm_groups(index_of(place.x)); break;
            case WarmStep::kEntries: row->entries.warm_entries(index_of(place.x)); break;
            case WarmStep::kLabels: break;
        }
    }

  private:
    static constexpr std::size_t kGroupEntries = 8;

    struct Row {
        std::vector<T*> flat;
        SharedTable<Entry, kGroupEntries> entries;
    };

    // Shifted by the guard at -1.
    [[nodiscard]] static std::size_t index_of(std::int32_t at) {
        return static_cast<std::size_t>(at + 1);
    }

    std::int32_t across_{};
    std::int32_t down_{};
    std::vector<T* const*> flat_;
    SharedTable<std::shared_ptr<Row>, kGroupEntries> rows_;
};

}  // namespace outrider::map
