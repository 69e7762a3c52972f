#include "record/recording_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "outrider/client/frame_output.hpp"

namespace outrider::record {
namespace {

std::string text_of_errno() {
    return std::generic_category().message(errno);
}

}  // namespace

base::Result<std::unique_ptr<RecordingWriter>> RecordingWriter::create(
    const std::string& file, bool overwrite, const codec::RecordingHeader& header) {
    constexpr int kOwnerWritesAllRead = 0644;
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (overwrite ? O_TRUNC : O_EXCL);
    const int descriptor = ::open(file.c_str(), flags, kOwnerWritesAllRead);
    if (descriptor < 0 && errno == EEXIST) {
        return base::fail(file + " is there already; choose another file, or --overwrite it");
    }
    if (descriptor < 0) {
        return base::fail("cannot write " + file + ": " + text_of_errno());
    }
    std::unique_ptr<RecordingWriter> writer(new RecordingWriter(file, descriptor));
    {
        const base::Lock lock(writer->mutex_);
        writer->append([&](auto& encoder, auto& out) {
            encoder.header(header, out);
            return true;
        });
        writer->write_out();
    }
    if (auto fault = writer->fault()) {
        return base::fail(*std::move(fault));
    }
    return writer;
}

RecordingWriter::RecordingWriter(std::string file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {}

RecordingWriter::~RecordingWriter() {
    flush();
    ::close(descriptor_);
}

template <class Write>
bool RecordingWriter::append(Write write) {
    if (fault_) {
        return false;
    }
    client::FrameOutput output(unwritten_, wire::kServerFrameBytesMax);
    const bool written = write(encoder_, output);
    if (output.oversized()) {
        fault_ = "the server sent a change of the map that is too long for a recording";
        return false;
    }
    if (unwritten_.size() > kUnwrittenBytesMax) {
        write_out();
    }
    return written;
}

void RecordingWriter::write_out() {
    std::span<const std::byte> rest = unwritten_;
    while (!rest.empty() && !fault_) {
        const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
        if (count >= 0) {
            rest = rest.subspan(static_cast<std::size_t>(count));
            counts_.bytes += static_cast<std::uint64_t>(count);
        } else if (errno != EINTR) {
            fault_ = "cannot write " + file_ + ": " + text_of_errno();
        }
    }
    unwritten_.clear();
}

void RecordingWriter::map_state(codec::MapState state) {
    const base::Lock lock(mutex_);
    counts_.newest = state.info.version;
    counts_.versions = 1;
    // No record has an id: that of the asker is left out again.
    codec::MapStateCursor cursor({1}, std::move(state));
    while (!cursor.done()) {
        append([&](auto& encoder, auto& out) {
            encoder.map_state_part(cursor, out);
            return true;
        });
        if (fault_) {
            return;
        }
    }
    write_out();
}

void RecordingWriter::map_edited(const codec::MapEdited& edited) {
    const base::Lock lock(mutex_);
    const bool written = append([&](auto& encoder, auto& out) {
        encoder.map_edited(edited, out);
        return true;
    });
    if (written) {
        counts_.newest = edited.version;
        ++counts_.versions;
        write_out();
    }
}

void RecordingWriter::path(const codec::PassedPath& passed, model::Version named) {
    const base::Lock lock(mutex_);
    const bool written =
        append([&](auto& encoder, auto& out) { return encoder.path(passed, out); });
    ++(written ? counts_.requests : counts_.unrecorded);
    counts_.named = std::max(counts_.named, named);
}

void RecordingWriter::count_unrecorded(std::uint64_t count) {
    const base::Lock lock(mutex_);
    counts_.unrecorded += count;
}

void RecordingWriter::flush() {
    const base::Lock lock(mutex_);
    write_out();
}

void RecordingWriter::finish() {
    const base::Lock lock(mutex_);
    const codec::RecordingEnd end{counts_.requests, counts_.unrecorded};
    append([&](auto& encoder, auto& out) {
        encoder.end(end, out);
        return true;
    });
    write_out();
}

model::Version RecordingWriter::newest() const {
    const base::Lock lock(mutex_);
    return counts_.newest;
}

RecordingCounts RecordingWriter::counts() const {
    const base::Lock lock(mutex_);
    return counts_;
}

std::optional<std::string> RecordingWriter::fault() const {
    const base::Lock lock(mutex_);
    return fault_;
}

}  // namespace outrider::record
