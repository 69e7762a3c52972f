#pragma once
// What:     lines of cells (rows or columns) in bands that snapshots share. A band holds the same
//           few lines of each of its planes, plane after plane.
// Contract: lines -1 .. lines() are readable: one guard line beyond each edge. Every line has
//           `lead` readable elements before element 0.
// Threads:  as SharedTable.
// Cost:     line(): one table load. Copy: the table of pointers. writable(): at most one band.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "outrider/map/shared_table.hpp"

namespace outrider::map {

template <class Element, int kBandShift>
class BandTable {
  public:
    static constexpr std::int32_t kBandLines = 1 << kBandShift;

    struct Shape {
        std::int32_t lines{};
        std::size_t stride{};          // elements of a line, lead included
        std::size_t lead{};            // elements before element 0
        std::vector<Element> outside;  // one a plane: what guards and fresh lines hold
    };

    BandTable() = default;
    explicit BandTable(const Shape& shape)
        : lines_(shape.lines),
          lead_(shape.lead),
          stride_(shape.stride),
          plane_elements_(shape.stride * kBandLines),
          band_elements_(plane_elements_ * shape.outside.size()),
          flat_(static_cast<std::size_t>(band_of(shape.lines)) + 1) {
        const Band guard = std::make_shared_for_overwrite<Element[]>(band_elements_);
        for (std::size_t plane = 0; plane < shape.outside.size(); ++plane) {
            std::fill_n(guard.get() + plane * plane_elements_, plane_elements_,
                        shape.outside[plane]);
        }
        bands_ = SharedTable<Band>(flat_.size(), guard);
        std::fill(flat_.begin(), flat_.end(), guard.get());
    }

    [[nodiscard]] const Element* line(std::int32_t line, std::size_t plane = 0) const {
        return flat_[static_cast<std::size_t>(band_of(line))] + offset_of(line, plane);
    }
    [[nodiscard]] std::int32_t lines() const { return lines_; }
    // For comparing what two tables share.
    [[nodiscard]] std::size_t band_count() const { return flat_.size(); }
    [[nodiscard]] const Element* band(std::size_t index) const { return flat_[index]; }

    // Needs the parent of this copy alive, and nobody else who reads this copy.
    [[nodiscard]] Element* writable(std::int32_t line, std::size_t plane = 0) {
        const auto index = static_cast<std::size_t>(band_of(line));
        if (!bands_.owned(index)) {
            Band copy = std::make_shared_for_overwrite<Element[]>(band_elements_);
            std::copy_n(flat_[index], band_elements_, copy.get());
            flat_[index] = copy.get();
            bands_.replace(index, std::move(copy));
        }
        return flat_[index] + offset_of(line, plane);
    }

  private:
    using Band = std::shared_ptr<Element[]>;

    // Shifted by one band, so that line -1 has one.
    [[nodiscard]] static std::int32_t band_of(std::int32_t line) {
        return (line + kBandLines) >> kBandShift;
    }
    [[nodiscard]] std::size_t offset_of(std::int32_t line, std::size_t plane) const {
        return plane * plane_elements_ +
               static_cast<std::size_t>(line & (kBandLines - 1)) * stride_ + lead_;
    }

    std::int32_t lines_{};
    std::size_t lead_{};
    std::size_t stride_{};
    std::size_t plane_elements_{};
    std::size_t band_elements_{};
    std::vector<Element*> flat_;
    SharedTable<Band> bands_;
};

}  // namespace outrider::map
