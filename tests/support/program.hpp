#pragma once
// What:     runs a program of the house as its user does: with arguments, output and exit code.
// Contract: a Program that is still running when it goes out of scope is killed. Waiting has a
//           limit: what takes longer has failed.

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace outrider::test {

struct Finished {
    int exit_code{-1};  // 128 + signal when killed by one
    std::string out;
    std::string err;
};

class Program {
  public:
    // The first word is the program's file; the environment is inherited.
    explicit Program(std::vector<std::string> command);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    // The first line of standard output; nothing when the program ends without one.
    [[nodiscard]] std::optional<std::string> read_line(std::chrono::seconds limit);
    // The first line of standard error that has `text` in it; nothing when none comes.
    [[nodiscard]] std::optional<std::string> read_error_line(std::string_view text,
                                                             std::chrono::seconds limit);
    void signal(int number);
    [[nodiscard]] pid_t process() const { return process_; }
    // Reads to the end of both streams and takes the exit code; -1 when `limit` passed.
    [[nodiscard]] Finished finish(std::chrono::seconds limit);

  private:
    // False when nothing more comes.
    bool read_some(std::chrono::milliseconds limit);

    pid_t process_{-1};
    int out_{-1};
    int err_{-1};
    std::string out_text_;
    std::string err_text_;
};

[[nodiscard]] Finished run_program(std::vector<std::string> command,
                                   std::chrono::seconds limit = std::chrono::seconds(60));

}  // namespace outrider::test
