#pragma once
// What: outrider-server as a process of its own, as an operator runs it.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace outrider::test {

class ServerProcess {
  public:
    // `files_max`: how many files it may have open; 0: as many as this process. `signal`: one that
    // has come before the server can look; 0: none.
    explicit ServerProcess(std::vector<std::string> arguments, rlim_t files_max = 0,
                           int signal = 0) {
        int out[2];
        int error[2];
        EXPECT_EQ(::pipe(out), 0);
        EXPECT_EQ(::pipe(error), 0);
        arguments.insert(arguments.begin(), "outrider-server");
        std::vector<char*> argv;
        for (std::string& argument : arguments) {
            argv.push_back(argument.data());
        }
        argv.push_back(nullptr);
        pid_ = ::fork();
        if (pid_ == 0) {
            ::dup2(out[1], STDOUT_FILENO);
            ::dup2(error[1], STDERR_FILENO);
            ::close(out[0]);
            ::close(error[0]);
            if (files_max > 0) {
                const rlimit limit{.rlim_cur = files_max, .rlim_max = files_max};
                ::setrlimit(RLIMIT_NOFILE, &limit);
            }
            if (signal != 0) {
                // What is blocked and pending stays so in the program that is begun.
                sigset_t held;
                ::sigemptyset(&held);
                ::sigaddset(&held, signal);
                ::sigprocmask(SIG_BLOCK, &held, nullptr);
                ::raise(signal);
            }
            ::execv(OUTRIDER_SERVER_PROGRAM, argv.data());
            ::_exit(127);
        }
        ::close(out[1]);
        ::close(error[1]);
        out_ = out[0];
        error_ = error[0];
    }
    ~ServerProcess() {
        if (pid_ > 0) {
            ::kill(pid_, SIGKILL);
            (void)wait();
        }
        ::close(out_);
        ::close(error_);
    }
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    // From the line that tells that it is ready; 0 when it ended instead.
    [[nodiscard]] std::uint16_t port() const {
        std::string line;
        for (char c = 0; ::read(out_, &c, 1) == 1 && c != '\n';) {
            line += c;
        }
        return line.starts_with("listening on 127.0.0.1:")
                   ? static_cast<std::uint16_t>(std::stoi(line.substr(line.rfind(':') + 1)))
                   : std::uint16_t{0};
    }
    void terminate() const { ::kill(pid_, SIGTERM); }
    void reload() const { ::kill(pid_, SIGHUP); }
    // Standard error up to the end of the first line that has `text` in it, or to its end.
    [[nodiscard]] std::string errors_until(std::string_view text) const {
        std::string all;
        std::string line;
        for (char c = 0; ::read(error_, &c, 1) == 1;) {
            line += c;
            if (c == '\n') {
                all += std::exchange(line, {});
                if (all.find(text) != std::string::npos) {
                    break;
                }
            }
        }
        return all + line;
    }
    // The exit code, -1 after a crash.
    [[nodiscard]] int wait() {
        int status = 0;
        ::waitpid(pid_, &status, 0);
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    // Standard error as a pipe that nobody reads any more, or whose reader has gone.
    void leave_errors_unread() const { ::fcntl(error_, F_SETPIPE_SZ, 4096); }
    void close_errors() { ::close(std::exchange(error_, -1)); }
    // All of standard error, to its end.
    [[nodiscard]] std::string errors() const {
        std::string text;
        char buffer[4096];
        for (ssize_t got = 0; (got = ::read(error_, buffer, sizeof buffer)) > 0;) {
            text.append(buffer, static_cast<std::size_t>(got));
        }
        return text;
    }

  private:
    pid_t pid_{};
    int out_{-1};
    int error_{-1};
};

}  // namespace outrider::test
