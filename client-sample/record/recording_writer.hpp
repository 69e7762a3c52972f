#pragma once
// What:     writes a recording: the map's state, what made each version, each path request's end.
// Contract: a file that is there already is not touched unless asked to. What was flushed survives
//           the end of this process: a killed recorder leaves a file whose last record may be torn
//           and whose others are whole. After a failed write (disk full) nothing more is written,
//           fault() says why, and everything else goes on.
// Threads:  every function from any thread.
// Cost:     a system call a flush; at most kUnwrittenBytesMax and one record wait for it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "outrider/base/mutex.hpp"
#include "outrider/base/result.hpp"
#include "outrider/codec/recording.hpp"
#include "outrider/wire/frame.hpp"

namespace outrider::record {

// What waits beyond this is written without waiting for a flush: some hundred paths.
inline constexpr std::size_t kUnwrittenBytesMax = 64U << 10U;

struct RecordingCounts {
    std::uint64_t requests{};
    std::uint64_t unrecorded{};
    std::uint64_t versions{};
    std::uint64_t bytes{};
    // Of those that the map had, the newest that the file has, and the newest that a reply named.
    model::Version newest{};
    model::Version named{};
};

class RecordingWriter {
  public:
    [[nodiscard]] static base::Result<std::unique_ptr<RecordingWriter>> create(
        const std::string& file, bool overwrite, const codec::RecordingHeader& header);
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;

    // Once, before what follows.
    void map_state(codec::MapState state) OUTRIDER_EXCLUDES(mutex_);
    void map_edited(const codec::MapEdited& edited) OUTRIDER_EXCLUDES(mutex_);
    // `named` is the version that the reply names, 0 where it is none.
    void path(const codec::PassedPath& passed, model::Version named) OUTRIDER_EXCLUDES(mutex_);
    // A path request passed and is not recorded.
    void count_unrecorded(std::uint64_t count) OUTRIDER_EXCLUDES(mutex_);
    void flush() OUTRIDER_EXCLUDES(mutex_);
    // Writes the last record.
    void finish() OUTRIDER_EXCLUDES(mutex_);

    [[nodiscard]] model::Version newest() const OUTRIDER_EXCLUDES(mutex_);
    [[nodiscard]] RecordingCounts counts() const OUTRIDER_EXCLUDES(mutex_);
    [[nodiscard]] std::optional<std::string> fault() const OUTRIDER_EXCLUDES(mutex_);

  private:
    RecordingWriter(std::string file, int descriptor);

    // `write(encoder, output)` writes one record; false: it wrote none.
    template <class Write>
    bool append(Write write) OUTRIDER_REQUIRES(mutex_);
    void write_out() OUTRIDER_REQUIRES(mutex_);

    const std::string file_;
    const int descriptor_;

    mutable base::Mutex mutex_;
    codec::RecordEncoder encoder_ OUTRIDER_GUARDED_BY(mutex_);
    wire::Bytes unwritten_ OUTRIDER_GUARDED_BY(mutex_);
    RecordingCounts counts_ OUTRIDER_GUARDED_BY(mutex_);
    std::optional<std::string> fault_ OUTRIDER_GUARDED_BY(mutex_);
};

}  // namespace outrider::record
