#include "soak/process_watch.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace outrider::soak {

std::optional<Sample> sample(std::int64_t process) {
    constexpr std::uint64_t kKibibyte = 1024;
    const std::filesystem::path folder = std::filesystem::path("/proc") / std::to_string(process);
    Sample sample;
    std::ifstream status(folder / "status");
    for (std::string word; status >> word;) {
        if (word == "VmRSS:") {
            status >> sample.resident_bytes;
            sample.resident_bytes *= kKibibyte;
        } else if (word == "Threads:") {
            status >> sample.threads;
        }
        status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    std::error_code error;
    for (auto entry = std::filesystem::directory_iterator(folder / "fd", error);
         !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        ++sample.descriptors;
    }
    // A process that has ended and is not waited for has no memory any more.
    if (error || sample.threads == 0 || sample.resident_bytes == 0) {
        return std::nullopt;
    }
    return sample;
}

ProcessWatch::ProcessWatch(std::int64_t process, TimePoint begin, std::chrono::milliseconds every)
    : process_(process), begin_(begin), every_(every), thread_([this] { run(); }) {}

ProcessWatch::~ProcessWatch() {
    if (thread_.joinable()) {
        (void)stop();
    }
}

std::vector<Sample> ProcessWatch::stop() {
    {
        const base::Lock lock(mutex_);
        stopped_ = true;
        wake_.notify_all();
    }
    thread_.join();
    const base::Lock lock(mutex_);
    return samples_;
}

bool ProcessWatch::lived() const {
    const base::Lock lock(mutex_);
    return lived_;
}

void ProcessWatch::run() {
    const base::Lock lock(mutex_);
    while (!stopped_) {
        auto now = sample(process_);
        if (!now) {
            lived_ = false;
            return;
        }
        now->at_s =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        samples_.push_back(*now);
        wake_.wait_for(mutex_, every_);
    }
}

}  // namespace outrider::soak
