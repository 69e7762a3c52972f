#include "support/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

namespace outrider::test {
namespace {

using Clock = std::chrono::steady_clock;

void close_end(int& descriptor) {
    if (descriptor >= 0) {
        close(descriptor);
        descriptor = -1;
    }
}

// False at the end of the stream.
bool append_from(int descriptor, std::string& text) {
    std::array<char, 4096> buffer{};
    const ssize_t bytes = read(descriptor, buffer.data(), buffer.size());
    if (bytes <= 0) {
        return false;
    }
    text.append(buffer.data(), static_cast<std::size_t>(bytes));
    return true;
}

}  // namespace

Program::Program(std::vector<std::string> command) {
    std::array<int, 2> out{};
    std::array<int, 2> err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) {
        return;
    }
    std::vector<char*> argv;
    for (std::string& word : command) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        execv(argv[0], argv.data());
        _exit(127);
    }
    close(out[1]);
    close(err[1]);
    out_ = out[0];
    err_ = err[0];
}

Program::~Program() {
    close_end(out_);
    close_end(err_);
    if (process_ > 0) {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
}

bool Program::read_some(std::chrono::milliseconds limit) {
    std::array<pollfd, 2> entries{{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
    if (poll(entries.data(), entries.size(), static_cast<int>(limit.count())) < 0) {
        return false;
    }
    if (entries[0].revents != 0 && !append_from(out_, out_text_)) {
        close_end(out_);
    }
    if (entries[1].revents != 0 && !append_from(err_, err_text_)) {
        close_end(err_);
    }
    return out_ >= 0 || err_ >= 0;
}

std::optional<std::string> Program::read_line(std::chrono::seconds limit) {
    const auto end = Clock::now() + limit;
    while (out_text_.find('\n') == std::string::npos) {
        if (Clock::now() > end || !read_some(std::chrono::milliseconds(100))) {
            return std::nullopt;
        }
    }
    return out_text_.substr(0, out_text_.find('\n'));
}

std::optional<std::string> Program::read_error_line(std::string_view text,
                                                    std::chrono::seconds limit) {
    const auto end = Clock::now() + limit;
    for (;;) {
        const std::size_t at = err_text_.find(text);
        const std::size_t stop = at == std::string::npos ? at : err_text_.find('\n', at);
        if (stop != std::string::npos) {
            const std::size_t before = err_text_.rfind('\n', at);
            const std::size_t start = before == std::string::npos ? 0 : before + 1;
            return err_text_.substr(start, stop - start);
        }
        if (Clock::now() > end || !read_some(std::chrono::milliseconds(100))) {
            return std::nullopt;
        }
    }
}

void Program::signal(int number) {
    if (process_ > 0) {
        kill(process_, number);
    }
}

Finished Program::finish(std::chrono::seconds limit) {
    const auto end = Clock::now() + limit;
    while (read_some(std::chrono::milliseconds(100))) {
        if (Clock::now() > end) {
            return {-1, out_text_, err_text_ + "\n(took too long)"};
        }
    }
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, out_text_, err_text_};
}

Finished run_program(std::vector<std::string> command, std::chrono::seconds limit) {
    Program program(std::move(command));
    return program.finish(limit);
}

}  // namespace outrider::test
