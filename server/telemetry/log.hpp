#pragma once
// What:     the log: events with named values, as text or as JSON, one line each on standard error.
// Contract: values from a client are escaped, so that nobody forges a line. Secrets are never
//           passed here. A full queue drops the oldest lines rather than hold up a session.
//           write() and warn_limited() throw where there is no memory for the line; who must go on
//           without it has unless_without_memory.hpp.
// Threads:  every function from any thread; a thread of its own writes.
// Cost:     a line that the level lets through is formatted by the caller, a few microseconds.

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "outrider/base/clock.hpp"

namespace outrider::telemetry {

enum class Level : std::uint8_t { kTrace, kDebug, kInfo, kWarning, kError, kOff };
enum class Format : std::uint8_t { kText, kJson };

struct LogConfig {
    Level level{Level::kInfo};
    Format format{Format::kText};
    // Lines that wait for the writer; beyond, the oldest are dropped.
    std::size_t queue_lines_max{8192};
    // The time that warn_limited() counts lines in.
    std::chrono::milliseconds repeat_interval{10'000};
};

struct Field {
    std::string_view name;
    std::variant<std::uint64_t, double, std::string_view> value;
};

class Log {
  public:
    // The clock must outlive the log.
    Log(const LogConfig& config, const base::Clock& clock);
    // Writes what waits; but where nobody reads, what is not taken within a second is lost.
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    // From the next line on.
    void set_level(Level level);
    void write(Level level, std::string_view event, std::initializer_list<Field> fields);
    // A warning that may come often: at most `lines_max` of each `event` in repeat_interval; the
    // next one tells how many were left out. `event` is a literal: their number bounds the table.
    void warn_limited(std::string_view event, std::initializer_list<Field> fields,
                      unsigned lines_max = 1);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// What follows time and level in a line.
[[nodiscard]] std::string format_event(Format format, std::string_view event,
                                       std::initializer_list<Field> fields);

}  // namespace outrider::telemetry
