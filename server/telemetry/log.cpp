#include "outrider/telemetry/log.hpp"

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "outrider/base/mutex.hpp"
#include "outrider/telemetry/patient_sink.hpp"

namespace outrider::telemetry {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
    switch (level) {
        case Level::kTrace: return spdlog::level::trace;
        case Level::kDebug: return spdlog::level::debug;
        case Level::kInfo: return spdlog::level::info;
        case Level::kWarning: return spdlog::level::warn;
        case Level::kError: return spdlog::level::err;
        case Level::kOff: break;
    }
    return spdlog::level::off;
}

void append_quoted(std::string& out, std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\u00";
            out += kHex[byte >> 4U];
            out += kHex[byte & 15U];
        } else {
            out += c;
        }
    }
    out += '"';
}

void append_value(std::string& out, const Field& field) {
    if (const auto* text = std::get_if<std::string_view>(&field.value)) {
        append_quoted(out, *text);
        return;
    }
    std::array<char, 32> digits{};
    char* const end = digits.data() + digits.size();
    const auto* number = std::get_if<std::uint64_t>(&field.value);
    const auto written = number != nullptr
                             ? std::to_chars(digits.data(), end, *number)
                             : std::to_chars(digits.data(), end, std::get<double>(field.value),
                                             std::chars_format::fixed, 1);
    out.append(digits.data(), written.ptr);
}

}  // namespace

std::string format_event(Format format, std::string_view event,
                         std::initializer_list<Field> fields) {
    std::string line;
    if (format == Format::kText) {
        line = event;
        for (const Field& field : fields) {
            line += ' ';
            line += field.name;
            line += '=';
            append_value(line, field);
        }
        return line;
    }
    line = "\"event\":";
    append_quoted(line, event);
    for (const Field& field : fields) {
        line += ',';
        append_quoted(line, field.name);
        line += ':';
        append_value(line, field);
    }
    return line;
}

struct Log::Impl {
    Impl(const LogConfig& log_config, const base::Clock& log_clock)
        : config(log_config),
          clock(log_clock),
          pool(std::make_shared<spdlog::details::thread_pool>(log_config.queue_lines_max, 1)),
          logger(std::make_shared<spdlog::async_logger>(
              "outrider", sink, pool, spdlog::async_overflow_policy::overrun_oldest)) {
        logger->set_level(to_spdlog(config.level));
        // UTC, so that lines of several machines compare.
        logger->set_pattern(config.format == Format::kText
                                ? "%Y-%m-%dT%H:%M:%S.%eZ %l %v"
                                : R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})",
                            spdlog::pattern_time_type::utc);
        logger->flush_on(spdlog::level::info);
    }

    // The writer's thread ends, all written that a reader takes, before what it writes with goes.
    ~Impl() {
        sink->let_go();
        pool.reset();
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    // How many were left out since the last line of this event; nothing when it is too early for
    // another.
    std::optional<std::uint64_t> due(std::string_view event, unsigned lines_max)
        OUTRIDER_EXCLUDES(mutex) {
        const base::TimePoint now = clock.now();
        const base::Lock lock(mutex);
        Repeat& repeat = repeats.try_emplace(event, Repeat{now}).first->second;
        if (now - repeat.began >= config.repeat_interval) {
            repeat.began = now;
            repeat.lines = 0;
        }
        if (repeat.lines >= lines_max) {
            ++repeat.left_out;
            return std::nullopt;
        }
        ++repeat.lines;
        return std::exchange(repeat.left_out, 0);
    }

    struct Repeat {
        base::TimePoint began;
        unsigned lines{};
        std::uint64_t left_out{};
    };

    LogConfig config;
    const base::Clock& clock;
    std::shared_ptr<PatientSink> sink = std::make_shared<PatientSink>();
    std::shared_ptr<spdlog::details::thread_pool> pool;
    std::shared_ptr<spdlog::async_logger> logger;
    base::Mutex mutex;
    std::map<std::string_view, Repeat> repeats OUTRIDER_GUARDED_BY(mutex);
};

Log::Log(const LogConfig& config, const base::Clock& clock)
    : impl_(std::make_unique<Impl>(config, clock)) {}

Log::~Log() = default;

void Log::set_level(Level level) {
    impl_->logger->set_level(to_spdlog(level));
}

void Log::write(Level level, std::string_view event, std::initializer_list<Field> fields) {
    const auto spdlog_level = to_spdlog(level);
    if (level != Level::kOff && impl_->logger->should_log(spdlog_level)) {
        impl_->logger->log(spdlog_level, format_event(impl_->config.format, event, fields));
    }
}

void Log::warn_limited(std::string_view event, std::initializer_list<Field> fields,
                       unsigned lines_max) {
    const auto left_out = impl_->due(event, lines_max);
    if (!left_out || !impl_->logger->should_log(spdlog::level::warn)) {
        return;
    }
    std::string line = format_event(impl_->config.format, event, fields);
    if (*left_out > 0) {
        const std::string count = std::to_string(*left_out);
        line +=
            impl_->config.format == Format::kText ? " left_out=" + count : ",\"left_out\":" + count;
    }
    impl_->logger->log(spdlog::level::warn, line);
}

}  // namespace outrider::telemetry
