#include "outrider/map/content_hash.hpp"

#include "outrider/base/hash.hpp"

namespace outrider::map {
namespace {

// Lines are hashed one by one, then their hashes, since bands are not contiguous.
class Hasher {
  public:
    void add_number(std::uint64_t value) { parts_.push_back(value); }
    template <class T>
    void add_line(const T* first, std::size_t count) {
        parts_.push_back(base::hash64(std::as_bytes(std::span(first, count))));
    }
    [[nodiscard]] std::uint64_t result() const {
        return base::hash64(std::as_bytes(std::span(parts_)));
    }

  private:
    std::vector<std::uint64_t> parts_;
};

}  // namespace

std::uint64_t content_hash(const Snapshot& snapshot) {
    Hasher hasher;
    const auto width = static_cast<std::size_t>(snapshot.width());
    hasher.add_number(width);
    hasher.add_number(static_cast<std::uint64_t>(snapshot.height()));
    hasher.add_number(snapshot.class_count());
    for (std::int32_t y = 0; y < snapshot.height(); ++y) {
        hasher.add_line(snapshot.parts().terrain->line(y), width);
        for (const auto& layer : snapshot.parts().layers) {
            hasher.add_line(layer->row(y), (width + 63) / 64);
            if (const std::uint8_t* weights = layer->weights(y)) {
                hasher.add_line(weights, width);
            }
        }
    }
    return hasher.result();
}

}  // namespace outrider::map
