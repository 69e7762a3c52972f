#include "record/recording_reader.hpp"

#include <utility>

namespace outrider::record {
namespace {

// As wire::append_frame writes it.
std::uint64_t frame_bytes_of(std::uint64_t message_bytes) {
    std::uint64_t bytes = message_bytes + 1;
    for (std::uint64_t rest = message_bytes; rest > 0x7F; rest >>= 7U) {
        ++bytes;
    }
    return bytes;
}

}  // namespace

RecordingReader::RecordingReader(std::istream& in, std::string name)
    : in_(in), name_(std::move(name)) {}

std::unexpected<base::Error> RecordingReader::fail_at(const Place& place,
                                                      const std::string& what) const {
    return base::fail(name_ + ": record " + std::to_string(place.number) + " at byte " +
                      std::to_string(place.offset) + ": " + what);
}

base::Result<std::optional<std::span<const std::byte>>> RecordingReader::read_frame(
    wire::FrameReader& frames, const Place& place) {
    while (true) {
        const auto frame = frames.next();
        if (!frame) {
            return fail_at(place, std::string(wire::name_of(frame.error())) +
                                      "; the file is damaged here, or is no recording");
        }
        if (*frame) {
            return *frame;
        }
        const std::span<std::byte> room = frames.prepare();
        in_.read(reinterpret_cast<char*>(room.data()), static_cast<std::streamsize>(room.size()));
        const auto count = static_cast<std::size_t>(in_.gcount());
        if (count == 0 && in_.bad()) {
            return fail_at(place, "cannot be read");
        }
        if (count == 0) {
            return std::nullopt;
        }
        frames.commit(count);
        bytes_read_ += count;
    }
}

base::Result<std::optional<PlacedRecord>> RecordingReader::next() {
    const auto frame = read_frame(frames_, place_);
    if (!frame) {
        return std::unexpected(frame.error());
    }
    if (!*frame) {
        torn_bytes_ = bytes_read_ - place_.offset;
        return std::nullopt;
    }
    const std::uint64_t bytes = frame_bytes_of((*frame)->size());
    auto record = decoder_.decode(**frame);
    if (!record && place_.number == 1) {
        return fail_at(place_, record.error().message + "; this is no recording, give another");
    }
    if (!record) {
        return fail_at(place_, record.error().message + "; the file is damaged here");
    }
    const Place place = std::exchange(place_, Place{place_.number + 1, place_.offset + bytes});
    return PlacedRecord{place, *std::move(record)};
}

base::Result<codec::Record> RecordingReader::at(const Place& place) {
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(place.offset));
    wire::FrameReader frames(wire::kServerFrameBytesMax);
    const auto frame = read_frame(frames, place);
    if (!frame) {
        return std::unexpected(frame.error());
    }
    if (!*frame) {
        return fail_at(place, "is gone; the file changed while it was read");
    }
    auto record = decoder_.decode(**frame);
    if (!record) {
        return fail_at(place, record.error().message);
    }
    return *std::move(record);
}

}  // namespace outrider::record
