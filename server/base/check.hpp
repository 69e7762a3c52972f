#pragma once
// What:     OUTRIDER_CHECK stops the process on our own bug, in every build; OUTRIDER_DCHECK does
//           so in builds without NDEBUG, where the test is too dear for a hot loop.
// Contract: never used on data from the wire, a file or the command line: such data is refused
//           with a base::Error or a model::Refusal.

#include <cstdio>
#include <cstdlib>

namespace outrider::base {

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, condition);
    std::abort();
}

}  // namespace outrider::base

#define OUTRIDER_CHECK(condition)                                           \
    do {                                                                    \
        if (!(condition)) [[unlikely]] {                                    \
            ::outrider::base::check_failed(#condition, __FILE__, __LINE__); \
        }                                                                   \
    } while (false)

#ifdef NDEBUG
#define OUTRIDER_DCHECK(condition) \
    do {                           \
    } while (false)
#else
#define OUTRIDER_DCHECK(condition) OUTRIDER_CHECK(condition)
#endif
