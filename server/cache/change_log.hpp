#pragma once
// What:     the last changes of one map, for asking whether one of them may have changed an answer.
// Contract: knows the versions floor() < v <= newest(). Changes come in version order without gaps.
// Threads:  one at a time.
// Cost:     add() is constant for each rectangle; judge() looks at every rectangle of the versions
//           in question that the class sees, newest first. Memory: kChangesMax records at most.

#include <cstdint>
#include <vector>

#include "outrider/map/change.hpp"
#include "outrider/model/scope.hpp"

namespace outrider::cache {

class ChangeLog {
  public:
    // Twenty seconds of a battle that builds and pulls down fifty times a second each; an answer
    // that nobody asked for in that time is not worth the look at more.
    static constexpr std::size_t kChangesMax = 2048;

    enum class Verdict : std::uint8_t {
        kStands,   // an answer of `from` is the answer on `to` as well
        kFallen,   // a change in between may have made another of it
        kUnknown,  // `to` is newer than the log: its change is on its way
    };

    // Without memory for it no answer of an older version stands any more.
    void add(const map::Change& change) noexcept;
    // Needs from <= to.
    [[nodiscard]] Verdict judge(const model::Scope& scope, model::ClassId seen_by,
                                model::Version from, model::Version to) const;

    [[nodiscard]] model::Version floor() const { return floor_; }
    [[nodiscard]] model::Version newest() const { return newest_; }

  private:
    // One rectangle of one version; a version without any has none, unless it renewed a class.
    struct Record {
        model::Version version{};
        model::Rect rect;
        map::ClassSet classes{};
        map::ClassSet renewed{};
    };

    void push_all(const map::Change& change);
    void push(const Record& record);

    std::vector<Record> ring_;
    std::size_t next_{0};  // the oldest record once the ring is full
    model::Version floor_{0};
    model::Version newest_{0};
};

}  // namespace outrider::cache
