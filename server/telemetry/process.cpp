#include "outrider/telemetry/process.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

namespace outrider::telemetry {
namespace {

Family gauge(std::string name, std::string help, double value) {
    return {std::move(name), std::move(help), MetricKind::kGauge, {{{}, value}}, {}};
}

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

std::optional<std::size_t> entries_of(const char* directory) {
    std::error_code error;
    std::size_t count = 0;
    auto entry = std::filesystem::directory_iterator(directory, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        ++count;
    }
    return error ? std::nullopt : std::optional(count);
}

void add_memory(Families& families) {
    double pages = 0;
    double resident = 0;
    if (std::ifstream("/proc/self/statm") >> pages >> resident) {
        const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
        families.push_back(gauge("process_virtual_memory_bytes", "Virtual memory.", pages * page));
        families.push_back(
            gauge("process_resident_memory_bytes", "Resident memory.", resident * page));
    }
}

void add_descriptors(Families& families) {
    // The directory itself is open while it is read.
    if (const auto count = entries_of("/proc/self/fd"); count && *count > 0) {
        families.push_back(
            gauge("process_open_fds", "Open file descriptors.", static_cast<double>(*count - 1)));
    }
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        families.push_back(gauge("process_max_fds", "File descriptors that may be open.",
                                 static_cast<double>(limit.rlim_cur)));
    }
}

}  // namespace

Families process_families() {
    Families families;
    add_memory(families);
    add_descriptors(families);
    if (const auto count = entries_of("/proc/self/task")) {
        families.push_back(
            gauge("process_threads", "Threads of the process.", static_cast<double>(*count)));
    }
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) == 0) {
        Family cpu = gauge("process_cpu_seconds_total", "User and system CPU time.",
                           seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
        cpu.kind = MetricKind::kCounter;
        families.push_back(std::move(cpu));
    }
    return families;
}

}  // namespace outrider::telemetry
