#include "outrider/codec/recording.hpp"

#include <utility>
#include <vector>

#include "outrider/base/check.hpp"
#include "outrider/base/limits.hpp"
#include "outrider/codec/client_codec.hpp"
#include "outrider/codec/scratch.hpp"
#include "outrider/v1/recording.pb.h"
#include "outrider/v1/session.pb.h"

// The parts of a record are messages of the protocol, so that both directions go through the
// codec's own two halves: what these learn, recordings know.
namespace outrider::codec {
namespace {

constexpr const char* kMagic = "outrider recording";
// Stands for the id that an envelope needs and a record of a map has not.
constexpr std::uint64_t kAnyId = 1;

class Buffer final : public Output {
  public:
    [[nodiscard]] std::span<std::byte> message_space(std::size_t bytes) override {
        bytes_.resize(bytes);
        return bytes_;
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

base::Result<RecordingHeader> decode_header(const v1::RecordingHeader& in) {
    if (in.magic() != kMagic) {
        return base::fail("the header is not that of a recording");
    }
    if (in.format_version() != kRecordingFormat) {
        return base::fail("the recording has format " + std::to_string(in.format_version()) +
                          " and this program reads " + std::to_string(kRecordingFormat) +
                          "; take the outrider that wrote it, or a newer one");
    }
    if (in.map_name().size() > base::limits::kNameBytesMax) {
        return base::fail("the map's name is longer than a name may be");
    }
    return RecordingHeader{in.format_version(), in.program_version(), {in.map_id()}, in.map_name()};
}

}  // namespace

struct RecordEncoder::State {
    Scratch record;
    Scratch envelope;
    ReplyEncoder replies;
    Buffer buffer;

    // What the reply encoder has just written, as a message again.
    [[nodiscard]] v1::ServerMessage& written() {
        auto& message = envelope.fresh<v1::ServerMessage>();
        OUTRIDER_CHECK(parse_message(message, buffer.bytes()));
        return message;
    }
};

RecordEncoder::RecordEncoder() : state_(std::make_unique<State>()) {}
RecordEncoder::~RecordEncoder() = default;

void RecordEncoder::header(const RecordingHeader& header, Output& out) {
    auto& record = state_->record.fresh<v1::Record>();
    v1::RecordingHeader& wire = *record.mutable_header();
    wire.set_magic(kMagic);
    wire.set_format_version(header.format_version);
    wire.set_program_version(header.program_version);
    wire.set_map_id(header.map.value);
    wire.set_map_name(header.map_name);
    write_message(record, out);
}

void RecordEncoder::map_state_part(MapStateCursor& cursor, Output& out) {
    state_->replies.map_state_part(cursor, state_->buffer);
    auto& record = state_->record.fresh<v1::Record>();
    record.mutable_map_state()->Swap(state_->written().mutable_map_state());
    write_message(record, out);
}

void RecordEncoder::map_edited(const MapEdited& edited, Output& out) {
    state_->replies.map_edited({kAnyId}, edited.map, edited.version, edited.batch, state_->buffer);
    auto& record = state_->record.fresh<v1::Record>();
    record.mutable_map_edited()->Swap(state_->written().mutable_map_edited());
    write_message(record, out);
}

bool RecordEncoder::path(const PassedPath& passed, Output& out) {
    auto& record = state_->record.fresh<v1::Record>();
    v1::RecordedPath& wire = *record.mutable_path();
    auto& asked = state_->envelope.fresh<v1::ClientMessage>();
    if (!parse_message(asked, passed.request) || !asked.has_path()) {
        return false;
    }
    wire.set_connection(passed.connection);
    wire.set_request_id(asked.request_id());
    wire.set_version_floor(passed.version_floor);
    wire.mutable_request()->Swap(asked.mutable_path());
    if (!passed.reply.empty()) {
        auto& reply = state_->envelope.fresh<v1::ServerMessage>();
        if (!parse_message(reply, passed.reply) || !(reply.has_path() || reply.has_refusal())) {
            return false;
        }
        if (reply.has_path()) {
            reply.mutable_path()->clear_path();
            reply.mutable_path()->clear_explored();
            if (reply.path().has_smooth()) {
                reply.mutable_path()->mutable_smooth()->clear_points();
            }
            reply.mutable_path()->set_last(true);
            wire.mutable_reply()->Swap(reply.mutable_path());
        } else {
            wire.mutable_refusal()->Swap(reply.mutable_refusal());
        }
    }
    write_message(record, out);
    return true;
}

void RecordEncoder::end(const RecordingEnd& end, Output& out) {
    auto& record = state_->record.fresh<v1::Record>();
    record.mutable_end()->set_requests(end.requests);
    record.mutable_end()->set_unrecorded(end.unrecorded);
    write_message(record, out);
}

struct RecordDecoder::State {
    Scratch record;
    Scratch envelope;
    RequestDecoder requests;
    ReplyDecoder replies;
    Buffer buffer;

    // The only message of a server that a part of a record makes.
    template <class Body>
    [[nodiscard]] base::Result<Body> decode_reply(const v1::ServerMessage& message) {
        write_message(message, buffer);
        auto decoded = replies.decode(buffer.bytes());
        if (!decoded) {
            return std::unexpected(std::move(decoded.error()));
        }
        return std::get<Body>(std::move(decoded->body));
    }
    [[nodiscard]] v1::ServerMessage& fresh_reply(std::uint64_t id) {
        auto& message = envelope.fresh<v1::ServerMessage>();
        message.set_request_id(id);
        return message;
    }

    [[nodiscard]] base::Result<Record> decode_path(v1::RecordedPath& in);
    [[nodiscard]] base::Result<PathRequest> decode_request(v1::RecordedPath& in);
};

base::Result<PathRequest> RecordDecoder::State::decode_request(v1::RecordedPath& in) {
    auto& message = envelope.fresh<v1::ClientMessage>();
    message.set_request_id(in.request_id());
    message.mutable_path()->Swap(in.mutable_request());
    write_message(message, buffer);
    auto decoded = requests.decode(buffer.bytes());
    if (!decoded) {
        const model::Refusal& why = decoded.error().refusal;
        return base::fail("the request's " + why.field + " " + why.message);
    }
    return std::get<PathRequest>(std::move(decoded->body));
}

base::Result<Record> RecordDecoder::State::decode_path(v1::RecordedPath& in) {
    auto request = decode_request(in);
    if (!request) {
        return std::unexpected(std::move(request.error()));
    }
    RecordedPath out{.connection = in.connection(),
                     .id = {in.request_id()},
                     .version_floor = in.version_floor(),
                     .request = *std::move(request),
                     .end = Unanswered{}};
    if (in.has_reply()) {
        auto& message = fresh_reply(in.request_id());
        message.mutable_path()->Swap(in.mutable_reply());
        const auto part = decode_reply<PathPart>(message);
        if (!part) {
            return std::unexpected(part.error());
        }
        if (!part->head) {
            return base::fail("the reply has no outcome");
        }
        out.end = *part->head;
    } else if (in.has_refusal()) {
        auto& message = fresh_reply(in.request_id());
        message.mutable_refusal()->Swap(in.mutable_refusal());
        auto refusal = decode_reply<model::Refusal>(message);
        if (!refusal) {
            return std::unexpected(std::move(refusal.error()));
        }
        out.end = *std::move(refusal);
    }
    return out;
}

RecordDecoder::RecordDecoder() : state_(std::make_unique<State>()) {}
RecordDecoder::~RecordDecoder() = default;

base::Result<Record> RecordDecoder::decode(std::span<const std::byte> bytes) {
    auto& record = state_->record.fresh<v1::Record>();
    if (!parse_message(record, bytes)) {
        return base::fail("the bytes are no Record of outrider.v1");
    }
    switch (record.body_case()) {
        case v1::Record::kHeader: return decode_header(record.header());
        case v1::Record::kMapState: {
            auto& message = state_->fresh_reply(kAnyId);
            message.mutable_map_state()->Swap(record.mutable_map_state());
            return state_->decode_reply<MapStatePart>(message);
        }
        case v1::Record::kMapEdited: {
            auto& message = state_->fresh_reply(kAnyId);
            message.mutable_map_edited()->Swap(record.mutable_map_edited());
            return state_->decode_reply<MapEdited>(message);
        }
        case v1::Record::kPath: return state_->decode_path(*record.mutable_path());
        case v1::Record::kEnd:
            return RecordingEnd{record.end().requests(), record.end().unrecorded()};
        case v1::Record::BODY_NOT_SET: break;
    }
    if (bytes.empty()) {
        return base::fail("the record is empty");
    }
    return UnknownRecord{};
}

}  // namespace outrider::codec
