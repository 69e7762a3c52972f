#include "outrider/map/chunk_regions.hpp"

#include <algorithm>

#include "outrider/map/kept_parts.hpp"

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
    label_all(connectivity);
}

ChunkRegions::ChunkRegions(const Rows& rows, Connectivity connectivity, const ChunkRegions& before)
    : rows_(rows) {
    if (const auto kept = KeptParts::find(before, rows, connectivity)) {
        take_labels(before, kept->top, kept->bottom, kept->opened);
    } else {
        label_all(connectivity);
    }
}

void ChunkRegions::label_all(Connectivity connectivity) {
    Labeller labeller(connectivity);
    for (std::size_t y = 0; y < rows_.size(); ++y) {
        first_run_[y + 1] = labeller.add_row(rows_[y]);
    }
    labels_.resize(labeller.run_count());
    for (std::size_t run = 0; run < labels_.size(); ++run) {
        labels_[run] = labeller.root(run);
    }
    number_labels(labels_.size());
}

// Rows top .. bottom differ. Their runs hold cells that stayed, or came.
void ChunkRegions::take_labels(const ChunkRegions& before, std::int32_t top, std::int32_t bottom,
                               Label opened) {
    const auto copied_above = before.labels_.begin() + before.first_run_[at(top)];
    const auto copied_below = before.labels_.begin() + before.first_run_[at(bottom + 1)];
    labels_.reserve(before.labels_.size() + kChunkSide);
    labels_.assign(before.labels_.begin(), copied_above);
    std::copy_n(before.first_run_.begin(), at(top) + 1, first_run_.begin());
    for (std::int32_t y = top; y <= bottom; ++y) {
        const std::uint64_t stayed = row(y) & before.row(y);
        for (std::uint64_t rest = row(y); rest != 0;) {
            const std::uint64_t run = rest & ~(rest + (rest & (~rest + 1)));
            const std::uint64_t known = run & stayed;
            labels_.push_back(known == 0 ? opened
                                         : before.label_of_open(std::countr_zero(known), y));
            rest &= ~run;
        }
        first_run_[at(y + 1)] = static_cast<std::uint16_t>(labels_.size());
    }
    const auto shift =
        static_cast<std::uint16_t>(labels_.size() - before.first_run_[at(bottom + 1)]);
    for (std::size_t y = at(bottom) + 2; y < first_run_.size(); ++y) {
        first_run_[y] = static_cast<std::uint16_t>(before.first_run_[y] + shift);
    }
    labels_.insert(labels_.end(), copied_below, before.labels_.end());
    number_labels(before.component_count_);
}

// Until now labels are any numbers below `labels_max` that tell components apart.
void ChunkRegions::number_labels(std::size_t labels_max) {
    std::array<Label, kRunsMax> number;
    std::fill_n(number.begin(), labels_max, kNoLabel);
    const auto give = [&](std::size_t run) {
        Label& label = number[labels_[run]];
        if (label == kNoLabel) {
            label = static_cast<Label>(component_count_++);
        }
    };
    const auto give_row = [&](std::size_t y) {
        for (std::size_t run = first_run_[y]; run < first_run_[y + 1]; ++run) {
            give(run);
        }
    };
    give_row(0);
    give_row(kChunkSide - 1);
    for (std::size_t y = 1; y + 1 < rows_.size(); ++y) {
        if ((rows_[y] & 1) != 0) {
            give(first_run_[y]);
        }
        if ((rows_[y] >> 63) != 0) {
            give(std::size_t{first_run_[y + 1]} - 1);
        }
    }
    for (std::size_t y = 0; y < rows_.size(); ++y) {
        west_edge_ |= (rows_[y] & 1) << y;
        east_edge_ |= (rows_[y] >> 63) << y;
    }
    for (Label& label : labels_) {
        Label& known = number[label];
        if (known == kNoLabel) {
            known = static_cast<Label>(component_count_++);
        }
        label = known;
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
