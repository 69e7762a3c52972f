#include "outrider/net/outbox.hpp"

#include <algorithm>

namespace outrider::net {
namespace {

// Kept when the buffer is empty; a larger one is given back.
constexpr std::size_t kBufferKeptBytes = 64U << 10U;
// An item itself, with its place in the queue.
constexpr std::size_t kItemBytes = 256;

std::size_t bytes_of(const model::PathResult& result) {
    return kItemBytes + result.turning_points.size() * sizeof(model::Cell) +
           result.explored.size() * sizeof(model::Explored);
}

struct SurveyBytes {
    std::size_t operator()(const model::GroupPaths& body) const { return ways(body.units); }
    std::size_t operator()(const model::NearestGoals& body) const { return ways(body.goals); }
    std::size_t operator()(const model::Reach& body) const {
        return body.runs.size() * sizeof(model::Run) + body.costs.size() * sizeof(model::Cost);
    }
    std::size_t operator()(const model::CostMatrix& body) const {
        return body.costs.size() * sizeof(model::Cost);
    }
    std::size_t operator()(const model::FieldArrows& body) const {
        return body.steps.size() + body.costs.size() * sizeof(model::Cost);
    }
    std::size_t operator()(const model::Connection&) const { return 0; }
    std::size_t operator()(const model::Sight&) const { return 0; }

  private:
    template <class Way>
    static std::size_t ways(const std::vector<Way>& ways) {
        std::size_t bytes = ways.size() * sizeof(Way);
        for (const Way& way : ways) {
            bytes += way.turning_points.size() * sizeof(model::Cell);
        }
        return bytes;
    }
};

std::size_t bytes_of(const model::SurveyResult& result) {
    return kItemBytes + std::visit(SurveyBytes{}, result.body);
}

std::size_t bytes_of(const model::EditBatch& batch) {
    std::size_t bytes = kItemBytes;
    for (const model::Edit& edit : batch.edits) {
        bytes += sizeof(model::Edit);
        if (const auto* terrain = std::get_if<model::TerrainEdit>(&edit)) {
            bytes += terrain->terrain.size();
        } else if (const auto* place = std::get_if<model::PlaceObstacle>(&edit)) {
            bytes += place->mask.size();
        }
    }
    return bytes;
}

}  // namespace

Outbox::Outbox(codec::ReplyEncoder& encoder, StateSource& source)
    : encoder_(encoder), source_(source) {}

Outbox::~Outbox() = default;

std::span<std::byte> Outbox::message_space(std::size_t bytes) {
    return wire::append_frame_space(*target_, bytes);
}

void Outbox::push(Payload payload, std::size_t bytes) {
    items_.push_back({std::move(payload), bytes});
    item_bytes_ += bytes;
}

void Outbox::pop() {
    item_bytes_ -= items_.front().bytes;
    items_.pop_front();
}

void Outbox::path(model::RequestId id, model::PathAnswer answer, codec::PathFormat format) {
    const std::size_t bytes = bytes_of(*answer.result);
    put(codec::PathCursor(id, std::move(answer), format), bytes);
}

void Outbox::path(const model::PathPush& push, codec::PathFormat format) {
    put(codec::PathCursor(push, format), bytes_of(*push.body->result));
}

void Outbox::survey(const model::SurveyReply& reply, codec::PathFormat format) {
    put(codec::SurveyCursor(reply.id, *reply.body, format, reply.last),
        bytes_of(*reply.body->result));
}

template <class Cursor>
void Outbox::put(Cursor cursor, std::size_t bytes) {
    if (items_.empty() && buffer_.size() - begin_ < kEncodeAheadBytes) {
        target_ = &buffer_;
        encode_part(cursor);
        if (cursor.done()) {
            return;
        }
    }
    push(std::move(cursor), bytes);
}

void Outbox::edit(EditPush push_of_edit) {
    const std::size_t bytes = bytes_of(*push_of_edit.batch);
    push(std::move(push_of_edit), bytes);
}

void Outbox::state(const StateAsk& ask) {
    push(ask, kItemBytes);
}

void Outbox::forget_watch(model::MapId map) {
    for (Item& item : items_) {
        auto* ask = std::get_if<StateAsk>(&item.payload);
        if (ask != nullptr && ask->map == map && ask->watch) {
            ask->watch = false;
        }
    }
}

void Outbox::drop_items() {
    while (!items_.empty()) {
        pop();
    }
}

void Outbox::encode_front() {
    Item& item = items_.front();
    target_ = &buffer_;
    if (auto* ask = std::get_if<StateAsk>(&item.payload)) {
        const model::RequestId id = ask->id;
        auto open = source_.open_state(*ask);
        if (!open) {
            encoder_.refusal(id, open.error(), *this);
            pop();
            return;
        }
        item.payload = StateSent{std::move(open->place), {id, std::move(open->state)}};
    }
    bool done = true;
    if (auto* path = std::get_if<codec::PathCursor>(&item.payload)) {
        encode_part(*path);
        done = path->done();
    } else if (auto* survey = std::get_if<codec::SurveyCursor>(&item.payload)) {
        encode_part(*survey);
        done = survey->done();
    } else if (auto* state = std::get_if<StateSent>(&item.payload)) {
        encode_part(state->cursor);
        done = state->cursor.done();
    } else if (const auto* push = std::get_if<EditPush>(&item.payload)) {
        encoder_.map_edited(push->id, push->map, push->version, *push->batch, *this);
    } else {
        const auto& frame = std::get<wire::Bytes>(item.payload);
        buffer_.insert(buffer_.end(), frame.begin(), frame.end());
    }
    if (done) {
        pop();
    }
}

std::span<const std::byte> Outbox::ready() {
    while (!items_.empty() && buffer_.size() - begin_ < kEncodeAheadBytes) {
        encode_front();
    }
    return std::span<const std::byte>(buffer_).subspan(begin_);
}

void Outbox::consume(std::size_t bytes) {
    begin_ += bytes;
    if (begin_ == buffer_.size()) {
        begin_ = 0;
        buffer_.clear();
        if (buffer_.capacity() > kBufferKeptBytes) {
            buffer_.shrink_to_fit();
        }
    } else if (begin_ > kEncodeAheadBytes && begin_ > buffer_.size() / 2) {
        // What is moved is less than what has gone.
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
    }
}

}  // namespace outrider::net
