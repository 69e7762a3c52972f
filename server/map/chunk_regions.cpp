#include "outrider/map/chunk_regions.hpp"

namespace outrider::map {
namespace {

// A row of 64 cells holds at most 32 runs.
constexpr std::size_t kRunsMax = kChunkSide * kChunkSide / 2;

struct Span {
    std::uint8_t begin;
    std::uint8_t end;
};

class Labeller {
  public:
    explicit Labeller(Connectivity connectivity)
        : reach_(connectivity == Connectivity::kEight ? 1 : 0) {}

    // Returns the number of runs so far.
    std::uint16_t add_row(std::uint64_t bits) {
        const std::size_t above = row_begin_;
        row_begin_ = run_count_;
        while (bits != 0) {
            const int begin = std::countr_zero(bits);
            const int end = begin + std::countr_one(bits >> begin);
            bits = end == kChunkSide ? 0 : bits & (~std::uint64_t{0} << end);
            spans_[run_count_] = {static_cast<std::uint8_t>(begin), static_cast<std::uint8_t>(end)};
            parents_[run_count_] = static_cast<Label>(run_count_);
            ++run_count_;
        }
        join_rows(above);
        return static_cast<std::uint16_t>(run_count_);
    }

    Label root(std::size_t run) {
        while (parents_[run] != run) {
            parents_[run] = parents_[parents_[run]];
            run = parents_[run];
        }
        return static_cast<Label>(run);
    }

    [[nodiscard]] std::size_t run_count() const { return run_count_; }

  private:
    // Two runs of neighbouring rows are walked like a merge: the one that ends first goes on.
    void join_rows(std::size_t above) {
        std::size_t below = row_begin_;
        const std::size_t above_end = row_begin_;
        while (above < above_end && below < run_count_) {
            const Span a = spans_[above];
            const Span b = spans_[below];
            if (a.begin < b.end + reach_ && b.begin < a.end + reach_) {
                join(above, below);
            }
            if (a.end <= b.end) {
                ++above;
            } else {
                ++below;
            }
        }
    }

    void join(std::size_t a, std::size_t b) {
        const Label root_a = root(a);
        const Label root_b = root(b);
        if (root_a < root_b) {
            parents_[root_b] = root_a;
        } else {
            parents_[root_a] = root_b;
        }
    }

    int reach_;
    std::size_t run_count_{0};
    std::size_t row_begin_{0};
    std::array<Span, kRunsMax> spans_;
    std::array<Label, kRunsMax> parents_;
};

}  // namespace

ChunkRegions::ChunkRegions(const Rows& rows, Connectivity connectivity) : rows_(rows) {
    Labeller labeller(connectivity);
    for (std::size_t y = 0; y < rows.size(); ++y) {
        first_run_[y + 1] = labeller.add_row(rows[y]);
        west_edge_ |= (rows[y] & 1) << y;
        east_edge_ |= (rows[y] >> 63) << y;
    }

    std::array<Label, kRunsMax> label_of_root;
    std::fill_n(label_of_root.begin(), labeller.run_count(), kNoLabel);
    labels_.resize(labeller.run_count());
    const auto give = [&](std::size_t run) {
        Label& label = label_of_root[labeller.root(run)];
        if (label == kNoLabel) {
            label = static_cast<Label>(component_count_++);
        }
        labels_[run] = label;
    };
    const auto give_row = [&](std::size_t y) {
        for (std::size_t run = first_run_[y]; run < first_run_[y + 1]; ++run) {
            give(run);
        }
    };
    give_row(0);
    give_row(kChunkSide - 1);
    for (std::size_t y = 1; y + 1 < rows.size(); ++y) {
        if ((rows[y] & 1) != 0) {
            give(first_run_[y]);
        }
        if ((rows[y] >> 63) != 0) {
            give(std::size_t{first_run_[y + 1]} - 1);
        }
    }
    for (std::size_t y = 1; y + 1 < rows.size(); ++y) {
        give_row(y);
    }
}

bool ChunkRegions::same_border(const ChunkRegions& other) const {
    constexpr std::int32_t kLast = kChunkSide - 1;
    if (component_count_ != other.component_count_ || row(0) != other.row(0) ||
        row(kLast) != other.row(kLast) || west_edge_ != other.west_edge_ ||
        east_edge_ != other.east_edge_) {
        return false;
    }
    for (std::int32_t y = 0; y < kChunkSide; ++y) {
        if (((west_edge_ >> y) & 1) != 0 && first_label(y) != other.first_label(y)) {
            return false;
        }
        if (((east_edge_ >> y) & 1) != 0 && last_label(y) != other.last_label(y)) {
            return false;
        }
    }
    for (const std::int32_t y : {0, kLast}) {
        for (std::size_t run = first_run_[at(y)]; run < first_run_[at(y) + 1]; ++run) {
            const std::size_t shift = other.first_run_[at(y)] - std::size_t{first_run_[at(y)]};
            if (labels_[run] != other.labels_[run + shift]) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace outrider::map
