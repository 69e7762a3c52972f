#include "outrider/map/content_hash.hpp"

#include <algorithm>

#include "outrider/base/hash.hpp"

namespace outrider::map {
namespace {

class Hasher {
  public:
    void add_number(std::uint64_t value) { parts_.push_back(value); }
    template <class T>
    void add_all(const std::vector<T>& values) {
        parts_.push_back(base::hash64(std::as_bytes(std::span(values))));
    }
    [[nodiscard]] std::uint64_t result() const {
        return base::hash64(std::as_bytes(std::span(parts_)));
    }

  private:
    std::vector<std::uint64_t> parts_;
};

// Weights say what is blocked; where there is only one, a bit a cell does.
void add_cells(Hasher& hasher, const Layer& layer) {
    std::vector<std::uint64_t> bits;
    std::vector<std::uint8_t> weights;
    for (std::int32_t y = 0; y < layer.height(); ++y) {
        for (std::int32_t x = 0; x < layer.width(); x += kChunkSide) {
            if (layer.uniform()) {
                bits.push_back(layer.row_word(x / kChunkSide, y));
            } else {
                const std::uint8_t* first = layer.weight_at({x, y});
                weights.insert(weights.end(), first,
                               first + std::min(kChunkSide, layer.width() - x));
            }
        }
    }
    hasher.add_all(bits);
    hasher.add_all(weights);
}

}  // namespace

std::uint64_t content_hash(const Snapshot& snapshot) {
    Hasher hasher;
    hasher.add_number(static_cast<std::uint64_t>(snapshot.width()));
    hasher.add_number(static_cast<std::uint64_t>(snapshot.height()));
    hasher.add_number(snapshot.class_count());
    hasher.add_all(terrain_rows(snapshot));
    for (const auto& layer : snapshot.parts().layers) {
        add_cells(hasher, *layer);
    }
    return hasher.result();
}

}  // namespace outrider::map
