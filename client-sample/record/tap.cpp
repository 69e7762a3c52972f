#include "record/tap.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace outrider::record {

Tap::Tap(RecordingWriter& writer, RecordedMap map, std::uint64_t connection)
    : writer_(writer), map_(std::move(map)), connection_(connection) {}

template <class Take>
void Tap::feed(wire::FrameReader& frames, std::span<const std::byte> bytes, Take take) {
    while (!bytes.empty() && !is_blind_) {
        const std::span<std::byte> room = frames.prepare();
        const std::size_t count = std::min(room.size(), bytes.size());
        std::ranges::copy(bytes.first(count), room.begin());
        frames.commit(count);
        bytes = bytes.subspan(count);
        auto frame = frames.next();
        for (; frame && *frame; frame = frames.next()) {
            take(**frame);
        }
        if (!frame) {
            forget_open_requests();
        }
    }
}

void Tap::from_client(std::span<const std::byte> bytes) {
    feed(client_frames_, bytes, [this](auto frame) { take_request(frame); });
}

void Tap::from_server(std::span<const std::byte> bytes) {
    feed(server_frames_, bytes, [this](auto frame) { take_reply(frame); });
}

bool Tap::is_recorded(const codec::PathRequest& request) const {
    return request.map.value == 0 ? request.map_name == map_.name : request.map == map_.id;
}

void Tap::take_request(std::span<const std::byte> frame) {
    const auto message = requests_.decode(frame);
    if (!message) {
        return;
    }
    const auto* request = std::get_if<codec::PathRequest>(&message->body);
    if (request == nullptr || !is_recorded(*request)) {
        return;
    }
    if (const auto found = open_.find(message->id.value); found != open_.end()) {
        ++found->second.uses;
        found->second.is_ambiguous = true;
    } else if (open_.size() >= kOpenRequestsMax || frame.size() > kRequestBytesMax) {
        writer_.count_unrecorded(1);
    } else {
        open_.emplace(message->id.value, Open{{frame.begin(), frame.end()}, writer_.newest()});
    }
}

void Tap::take_reply(std::span<const std::byte> frame) {
    const auto message = replies_.decode(frame);
    if (!message) {
        return;
    }
    const auto* part = std::get_if<codec::PathPart>(&message->body);
    if (part != nullptr && part->head) {
        close(message->id, frame, part->head->version);
    } else if (std::holds_alternative<model::Refusal>(message->body)) {
        close(message->id, frame, 0);
    }
}

void Tap::close(model::RequestId id, std::span<const std::byte> reply, model::Version named) {
    const auto found = open_.find(id.value);
    if (found == open_.end()) {
        return;
    }
    Open& open = found->second;
    if (open.is_ambiguous) {
        writer_.count_unrecorded(1);
    } else {
        writer_.path({connection_, open.version_floor, open.request, reply}, named);
    }
    if (--open.uses == 0) {
        open_.erase(found);
    }
}

void Tap::forget_open_requests() {
    is_blind_ = true;
    for (const auto& [id, open] : std::exchange(open_, {})) {
        writer_.count_unrecorded(open.uses);
    }
}

void Tap::end() {
    // By id, as they were asked: a hash table's order would tell nobody anything.
    std::vector<std::uint64_t> ids;
    for (const auto& [id, open] : open_) {
        ids.push_back(id);
    }
    std::ranges::sort(ids);
    for (const std::uint64_t id : ids) {
        while (open_.contains(id)) {
            close({id}, {}, 0);
        }
    }
}

}  // namespace outrider::record
