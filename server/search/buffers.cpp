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
           buffers.cells.bytes() + buffers.open_places.bytes() +
           buffers.explored.capacity() * sizeof(model::Explored) +
           buffers.from_start.queue_bytes() + buffers.from_goal.queue_bytes() +
           buffers.chunk_search.queue_bytes() + buffers.open_portals.bytes() +
           buffers.smoother.bytes() + buffers.portal_costs.capacity() * sizeof(std::uint32_t) +
           (buffers.points.capacity() + buffers.route.capacity() + buffers.walked.capacity()) *
               sizeof(model::Cell);
}

}  // namespace outrider::search
