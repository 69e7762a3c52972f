#include "outrider/search/buffers.hpp"

namespace outrider::search {

void BuffersDeleter::operator()(Buffers* buffers) const {
    delete buffers;
}

BuffersPtr make_buffers() {
    return BuffersPtr(new Buffers);
}

std::size_t bytes_of(const Buffers& buffers) {
    return sizeof(Buffers) + buffers.nodes.capacity() * sizeof(Node) +
           buffers.open_cells.capacity() * sizeof(OpenCell) + buffers.open_jumps.bytes() +
           buffers.explored.capacity() * sizeof(model::Explored) +
           buffers.points.capacity() * sizeof(model::Cell);
}

}  // namespace outrider::search
