#include "outrider/search/field.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <new>

#include "outrider/search/first_step.hpp"
#include "outrider/search/huge_pages.hpp"

namespace outrider::search {
namespace {

// The weights of a cell and of those west and east of it, a byte each.
std::uint32_t three_weights(const std::uint8_t* cell) {
    std::uint32_t four = 0;
    std::memcpy(&four, cell - 2, sizeof four);
    return four >> 8U;
}

constexpr std::uint32_t kEachByte = 0x010101;
// A byte of ones for each set bit.
constexpr std::array<std::uint32_t, 8> kSpread{0x000000, 0x0000FF, 0x00FF00, 0x00FFFF,
                                               0xFF0000, 0xFF00FF, 0xFFFF00, 0xFFFFFF};

std::uint8_t dearest_weight(const model::MovementClass& movement_class) {
    return *std::ranges::max_element(movement_class.weights);
}

}  // namespace

void Field::prepare(std::size_t words) {
    // Where the generations end too: to clear a large map's words would take a slice many times
    // over, and touch them all.
    if (words > capacity_ || generation_ == kGenerationsMax) {
        words = std::max(words, capacity_);
        // As in NodePool: the old words go first, and calloc's zero pages stay untouched.
        words_.reset();
        capacity_ = 0;
        words_.reset(static_cast<std::uint64_t*>(std::calloc(words, sizeof(std::uint64_t))));
        if (words_ == nullptr) {
            throw std::bad_alloc();  // ends this search and no other
        }
        wish_for_huge_pages(words_.get(), words * sizeof(std::uint64_t));
        capacity_ = words;
        generation_ = 0;
    }
    ++generation_;
    current_ = generation_ << kGenerationShift;
}

void Field::shape_words() {
    const auto across = static_cast<std::uint32_t>((layer_->width() + 7) / 8);
    const auto down = static_cast<std::size_t>((layer_->height() + 7) / 8);
    row_stride_ = across * kBlockCells;
    prepare(down * row_stride_);
    for (std::size_t move = 0; move < kMoveCount; ++move) {
        for (std::int32_t in_block = 0; in_block < 64; ++in_block) {
            // In the block at (1, 1), so that no coordinate is negative.
            const std::int32_t x = 8 + in_block % 8;
            const std::int32_t y = 8 + in_block / 8;
            offsets_[move][static_cast<std::size_t>(in_block)] =
                index_of(x + kMoveX[move], y + kMoveY[move]) - index_of(x, y);
        }
    }
}

void Field::shape_buckets() {
    const model::MovementClass& who = layer_->movement_class();
    const bool uniform = layer_->uniform();
    const model::Cost least = uniform ? 1 : 2 * model::Cost{layer_->weight_min()};
    const model::Cost most = uniform ? 1 : 2 * model::Cost{dearest_weight(who)};
    shift_ = static_cast<unsigned>(std::bit_width(least * model::kStraight)) - 1;
    const std::uint64_t ahead = ((most * model::kDiagonal) >> shift_) + 1;
    ring_mask_ = std::bit_ceil(ahead + 1) - 1;
    if (ring_.size() <= ring_mask_) {
        ring_.resize(ring_mask_ + 1);
    }
    for (Bucket& bucket : ring_) {
        bucket.count = 0;
    }
}

void Field::begin(const map::Layer& layer) {
    layer_ = &layer;
    const model::MovementClass& who = layer.movement_class();
    canonical_ = &CanonicalMoves::of(who);
    legal_ = &move_table(who.directions, who.corner_rule);
    unit_ = layer.uniform() ? 2 * model::Cost{layer.weight_min()} : 1;
    shape_words();
    shape_buckets();
    bucket_ = 0;
    place_ = 0;
    bucket_began_ = 0;
    waiting_ = 0;
    expansions_ = 0;
    history_.clear();
    record_ = nullptr;
}

void Field::begin(const map::Layer& layer, std::span<const model::Cell> sources) {
    begin(layer);
    for (const model::Cell source : sources) {
        add_source(source);
    }
}

void Field::add_source(model::Cell open) {
    reach(entry_of(open), current_ | kDistanceMask << kArrivalBits, kFromEverywhere);
}

void Field::add_inner(model::Cell open) {
    words_[index_of(open.x, open.y)] = current_ | kDistanceMask << kArrivalBits | kFromEverywhere;
}

// What makes a move needless (see canonical.hpp) holds after such a step too: the cell that it
// leaves weighs no more than any other, and every way in question leaves it once.
void Field::add_blocked(model::Cell blocked) {
    if (distance(blocked) == 0) {
        return;  // given twice
    }
    add_inner(blocked);
    bucket_began_ = ++expansions_;  // before the first bucket
    const Entry at = entry_of(blocked);
    const std::uint64_t from = words_[at.index] & ~kArrivalMask;
    unsigned moves = (*legal_)[bits_around(*layer_, blocked.x, blocked.y)];
    for (; moves != 0; moves &= moves - 1) {
        const auto move = static_cast<unsigned>(std::countr_zero(moves));
        const Entry to = neighbour(at, move);
        reach(to, from - (first_step(*layer_, {to.x, to.y}, move) << kArrivalBits),
              static_cast<Arrivals>(1U << move));
    }
}

inline void Field::reach(Entry at, std::uint64_t candidate, Arrivals arrival) {
    std::uint64_t& word = words_[at.index];
    const std::uint64_t old = word;
    if (old >= candidate) {
        // Worse, or another way of equal cost. That of a closed cell is never equal: the last step
        // costs at least a bucket's width.
        word = (old ^ candidate) <= kArrivalMask ? old | arrival : old;
        return;
    }
    word = candidate | arrival;
    // Words of one generation and one bucket share all higher bits; then the entry is there.
    if ((old ^ candidate) >> (kArrivalBits + shift_) == 0) {
        return;
    }
    Bucket& bucket = ring_[(distance_in(candidate) >> shift_) & ring_mask_];
    if (bucket.count == bucket.entries.size()) {
        bucket.entries.resize(std::max<std::size_t>(64, 2 * bucket.count));
    }
    bucket.entries[bucket.count++] = at;
    ++waiting_;
}

template <bool kUniform>
inline void Field::settle(Entry at, std::uint64_t word) {
    const std::int32_t x = at.x;
    const std::int32_t y = at.y;
    const unsigned around = bits_around(*layer_, x, y);
    const auto arrivals = static_cast<Arrivals>(word & kArrivalMask);
    unsigned moves = 0;
    std::array<std::uint32_t, 3> weights{};
    model::Cost own = 0;
    if constexpr (kUniform) {
        moves = canonical_->next(arrivals, around);
    } else {
        const std::uint8_t* cell = layer_->weight_at({x, y});
        weights = {three_weights(cell - map::Layer::kWeightStride), three_weights(cell),
                   three_weights(cell + map::Layer::kWeightStride)};
        own = (weights[1] >> 8U) & 0xFFU;
        const std::uint32_t same = static_cast<std::uint32_t>(own) * kEachByte;
        const bool one_weight = ((weights[0] ^ (same & kSpread[around & 7U])) |
                                 (weights[1] ^ (same & kSpread[(around >> 3U) & 7U])) |
                                 (weights[2] ^ (same & kSpread[around >> 6U]))) == 0;
        moves = one_weight ? canonical_->next(arrivals, around) : (*legal_)[around];
    }
    const std::uint64_t from = word & ~kArrivalMask;
    for (; moves != 0; moves &= moves - 1) {
        const auto move = static_cast<unsigned>(std::countr_zero(moves));
        const Entry to = neighbour(at, move);
        model::Cost step = move < kNE ? model::kStraight : model::kDiagonal;
        if constexpr (!kUniform) {
            const std::uint32_t row = weights[static_cast<std::size_t>(kMoveY[move] + 1)];
            step *= own + ((row >> static_cast<unsigned>(8 * (kMoveX[move] + 1))) & 0xFFU);
        }
        // Where the wave most likely goes from there.
        __builtin_prefetch(&words_[to.index + offsets_[move][to.index % kBlockCells]], 1);
        reach(to, from - (step << kArrivalBits), static_cast<Arrivals>(1U << move));
    }
}

// No step leads from a bucket into itself, so that its list stays as it is meanwhile.
template <bool kUniform>
void Field::settle_entries(std::uint64_t entries_max) {
    const Bucket& bucket = ring_[bucket_ & ring_mask_];
    const std::size_t end = place_ + std::min<std::uint64_t>(bucket.count - place_, entries_max);
    const Entry* const entries = bucket.entries.data();
    for (; place_ < end; ++place_) {
        const Entry at = entries[place_];
        const std::uint64_t word = words_[at.index];
        // Else the cell was reached cheaper, and has been settled.
        if (distance_in(word) >> shift_ == bucket_) {
            ++expansions_;
            settle<kUniform>(at, word);
        }
    }
}

void Field::end_bucket() {
    waiting_ -= place_;
    if (record_ != nullptr) {
        record_bucket(ring_[bucket_ & ring_mask_]);
    }
    ring_[bucket_ & ring_mask_].count = 0;
    if (expansions_ != bucket_began_) {
        history_.push_back({bucket_, expansions_});
    }
    bucket_began_ = expansions_;
    place_ = 0;
    ++bucket_;
}

void Field::record_bucket(const Bucket& bucket) {
    for (const Entry at : std::span(bucket.entries).first(bucket.count)) {
        if (distance_in(words_[at.index]) >> shift_ == bucket_) {
            record_->push_back({at.x, at.y});
        }
    }
}

bool Field::step(std::uint64_t cells_max, model::Cost until) {
    const std::uint64_t end = expansions_ + std::max<std::uint64_t>(cells_max, 1);
    const model::Cost last = until >> shift_;
    while (waiting_ != 0 && expansions_ < end && bucket_ < last) {
        if (layer_->uniform()) {
            settle_entries<true>(end - expansions_);
        } else {
            settle_entries<false>(end - expansions_);
        }
        if (place_ == ring_[bucket_ & ring_mask_].count) {
            end_bucket();
        }
    }
    return waiting_ != 0;
}

std::uint64_t Field::expansions_for(model::Cost distance) const {
    const auto after = std::ranges::lower_bound(history_, distance >> shift_, {}, &Settled::bucket);
    return after == history_.begin() ? 0 : std::prev(after)->cells;
}

model::Cost Field::settled_after(std::uint64_t cells) const {
    const auto last = std::ranges::lower_bound(history_, cells, {}, &Settled::cells);
    return last == history_.end() ? kUnreached : (last->bucket + 2) << shift_;
}

model::Cost Field::reach_of(std::uint64_t cells) const {
    const auto beyond = std::ranges::upper_bound(history_, cells, {}, &Settled::cells);
    return (beyond == history_.end() ? bucket_ : beyond->bucket) << shift_;
}

std::size_t Field::bytes() const {
    std::size_t entries = 0;
    for (const Bucket& bucket : ring_) {
        entries += bucket.entries.capacity();
    }
    return capacity_ * sizeof(std::uint64_t) + entries * sizeof(Entry) +
           ring_.capacity() * sizeof(Bucket) + history_.capacity() * sizeof(Settled);
}

}  // namespace outrider::search
