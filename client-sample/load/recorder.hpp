#pragma once
// What:     the answers of a run, kept for checking afterwards, so that checking takes no time away
//           from the run.
// Contract: past kRecordBytesMax answers are counted, not kept.
// Threads:  add() from the I/O thread; the rest when the run is over.
// Cost:     about 100 bytes an answer and 4 a turning point; never moves what it holds.

#include <cstdint>
#include <deque>
#include <vector>

#include "load/traffic.hpp"
#include "outrider/client/client.hpp"

namespace outrider::load {

// An hour at a few hundred requests a second, or a minute at ten thousand.
inline constexpr std::size_t kRecordBytesMax = std::size_t{768} << 20U;

struct Record {
    // The newest version that was acknowledged before the request was sent (law 2).
    model::Version version_floor{};
    model::Version version{};
    model::Cell start;
    model::Cell goal;
    model::Outcome outcome{};
    model::Outcome reason{};
    model::Algorithm algorithm{};
    std::uint32_t bound_percent{};
    model::Cost cost{};
    std::uint64_t path_hash{};
    // A group's paths descend a field: other paths of the same cost than a search for one unit.
    bool of_group{false};
    std::size_t first_point{};
    std::uint32_t point_count{};
};

class Recorder {
  public:
    explicit Recorder(std::size_t bytes_max = kRecordBytesMax) : bytes_max_(bytes_max) {}

    void add(const Order& order, model::Version version_floor, const client::PathAnswer& answer);
    // One unit of a group.
    void add_of_group(const Order& order, model::Version version_floor,
                      const client::PathAnswer& answer);
    [[nodiscard]] const std::deque<Record>& records() const { return records_; }
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; }
    [[nodiscard]] model::PathResult result_of(const Record& record) const;

  private:
    void add(const Order& order, model::Version version_floor, const client::PathAnswer& answer,
             bool of_group);

    // A map's side fits 16 bits (limits::kMapSideMax).
    struct Point {
        std::int16_t x;
        std::int16_t y;
    };

    std::size_t bytes_max_;
    std::deque<Record> records_;
    std::deque<Point> points_;
    std::uint64_t skipped_{0};
};

}  // namespace outrider::load
