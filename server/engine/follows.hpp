#pragma once
// What:     the followed units: which of them an edit concerns, and whether a new answer is news.
//           Plain data and policy, without jobs, clients or sinks. Private to the engine room.
// Contract: 1. An edit concerns a unit whose rest of path it closes (BROKEN) or makes dearer
//              (DEARER); with `improve`, one for whom a way from where it stands through the cells
//              that became better to the goal could be cheaper than its rest; and one that has no
//              complete path, when its goal, or a cell nearer to it, came into its region.
//           2. A new answer takes the old path's place when the old one is broken or the unit has
//              strayed; otherwise only when it is complete and strictly cheaper than what is left
//              of the old one, or, where the old one is not complete, ends nearer to the goal (or
//              as near and strictly cheaper). So equal detours never flap.
//           3. An answer that does not pass the place that the unit has reached meanwhile, or whose
//              path was closed meanwhile (up to kRetriesMax times), is no news: it is asked again.
//           4. With a repair bound, a broken path is mended where the mended one is proven to be
//              within it on the newest version, and else asked for anew.
//           5. What a unit sees that ignores an obstacle, no layer at hand shows: its path stands
//              where it stands for everybody of its class, and else its replan finds out. It takes
//              every edit for its concern that touches its path, its goal's absence, or with
//              `improve` a way that could be cheaper; its answers are weighed on their own version.
//           6. At most one replan of a unit is under way; whatever happens meanwhile is looked at
//              when it is there.
// Threads:  one at a time, under the engine's lock.
// Cost:     an edit: the paths that cross its squares, and those who wait for something better.
//           A look at one unit is linear in its rest of path.

#include <memory>
#include <unordered_map>
#include <vector>

#include "outrider/engine/follow.hpp"
#include "outrider/engine/follow_changes.hpp"
#include "outrider/engine/path_index.hpp"
#include "outrider/engine/slot_pool.hpp"

namespace outrider::engine {

// The newest snapshots, for as long as a lock is held; they are let go of outside, by `kept`.
class Newest {
  public:
    explicit Newest(std::vector<std::shared_ptr<const map::Snapshot>>& kept) : kept_(kept) {}
    [[nodiscard]] const map::Snapshot& of(const MapEntry& map);
    [[nodiscard]] bool contains(const MapEntry& map, model::Cell cell) {
        return model::Rect{0, 0, of(map).width(), of(map).height()}.contains(cell);
    }

  private:
    std::vector<std::shared_ptr<const map::Snapshot>>& kept_;
    const MapEntry* map_{nullptr};
    const map::Snapshot* newest_{nullptr};
};

// One edit on its way past the followed units, some at a time.
struct EditLook {
    struct Suspect {
        FollowSlot follow{};
        std::uint64_t birth{};
        // What became better, or what became worse and puts the path itself in question.
        const std::vector<model::Rect>* boxes{};
        bool better{};
    };
    MapEntry* map{};
    model::Version before{};
    model::Version version{};
    std::vector<ClassChanges> changes;
    std::vector<model::Rect>
        touched;  // anchors that may see a difference where obstacles are ignored
    bool collected{false};
    std::vector<Suspect> suspects{};  // still to be looked at, last first
};

class Follows {
  public:
    // After so many answers that were closed before they were there, the next is pushed as it is.
    static constexpr unsigned kRetriesMax = 3;
    // So that the lock is held for some tens of microseconds.
    static constexpr std::size_t kLooksPerTurn = 256;

    [[nodiscard]] FollowSlot add(Follow follow);
    void remove(FollowSlot slot);
    [[nodiscard]] Follow& operator[](FollowSlot slot) { return follows_[slot]; }
    // Slots are below it.
    [[nodiscard]] std::size_t capacity() const { return follows_.capacity(); }
    [[nodiscard]] std::size_t count() const { return follows_.in_use(); }
    // Of paths and index, about.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] std::size_t count_on(const MapEntry& map) const {
        const auto ground = grounds_.find(&map);
        return ground == grounds_.end() ? 0 : ground->second.count;
    }
    [[nodiscard]] bool any_on(const MapEntry& map) const { return grounds_.contains(&map); }

    // The first answer is out.
    void begin(FollowSlot slot, model::PathAnswer answer, Newest& newest);
    // The answer of a replan, searched for on `ground`: why it is news, or nothing.
    [[nodiscard]] std::optional<model::PushReason> settle(FollowSlot slot, model::PathAnswer fresh,
                                                          const map::Snapshot* ground,
                                                          Newest& newest);
    // The unit stands there now.
    void report(FollowSlot slot, model::Cell cell, Newest& newest);
    [[nodiscard]] static bool at_goal(const Follow& follow);

    // follows_repair.cpp: what a replan asks, and the unit's new path by its answer; nothing where
    // a mended path is not within the bound that the unit asked for: then it wants a replan afresh.
    [[nodiscard]] model::PathQuery question(FollowSlot slot, Newest& newest);
    [[nodiscard]] std::optional<model::PathAnswer> answer_to(FollowSlot slot,
                                                             model::PathAnswer answer,
                                                             Newest& newest);

    // True while suspects remain. Where it throws for want of memory, the next call goes on.
    [[nodiscard]] bool look_at(EditLook& look, Newest& newest);
    // start(slot) for who is to be replanned now: each once. Where that throws, it and those behind
    // it still are.
    template <class Start>
    void start_wanting(Start start);

  private:
    // The bounds of mended paths lower with each box that became better; past so many of a map the
    // paths from before are searched for anew.
    static constexpr std::size_t kOpenedMax = 256;
    struct Opened {
        model::ClassId movement_class;
        model::Rect box;
    };
    // What follows have in common that stand on one map.
    struct Ground {
        explicit Ground(const map::Snapshot& newest)
            : index(newest.width(), newest.height()), seen(newest.version()) {}
        PathIndex index;
        std::vector<FollowSlot> roster;  // who waits for something better
        std::size_t ignoring{};          // how many ignore an obstacle
        model::Version seen;             // the newest version that was looked at
        std::size_t count{};
        std::vector<Opened> opened;    // a ring of the last kOpenedMax
        std::uint64_t opened_count{};  // ever
        // Rises where an edit was seen out of turn: bounds from before say nothing then.
        std::uint64_t epoch{};
    };

    [[nodiscard]] Ground& ground_of(const Follow& follow) { return grounds_.at(follow.map.get()); }
    void set_path(FollowSlot slot, model::PathAnswer answer);
    // follows_repair.cpp
    static void note_opened(Ground& ground, const EditLook& look);
    void keep_bound(FollowSlot slot, Newest& newest);
    [[nodiscard]] model::Cost least_cost(const Follow& follow, const map::Layer& layer,
                                         PathWalk from) const;
    void enlist(FollowSlot slot);
    void strike(FollowSlot slot);
    void want(FollowSlot slot, model::PushReason reason);
    void queue(FollowSlot slot);
    void collect(EditLook& look);
    // Suspects are those of the map for whom concerns(follow) holds.
    template <class Concerns>
    void collect_better(Ground& ground, EditLook& look, const std::vector<model::Rect>& boxes,
                        Concerns concerns);
    template <class Concerns>
    void collect_worse(Ground& ground, EditLook& look, const std::vector<model::Rect>& boxes,
                       Concerns concerns);
    // `worse` null: whatever may have changed.
    void look_at_path(FollowSlot slot, const std::vector<model::Rect>* worse, Newest& newest);
    // `better` null: whatever may have changed.
    void look_for_better(FollowSlot slot, const std::vector<model::Rect>* better, Newest& newest);
    // An answer on `version` has become the unit's: what has it missed?
    void catch_up(FollowSlot slot, model::Version version, Newest& newest);

    SlotPool<Follow> follows_;
    std::unordered_map<const MapEntry*, Ground> grounds_;
    std::vector<FollowSlot> wanting_;
    std::uint64_t births_{};
    std::uint64_t looks_{};
    std::size_t bytes_{};
};

template <class Start>
void Follows::start_wanting(Start start) {
    for (const FollowSlot slot : wanting_) {
        // Who has left meanwhile is not queued any more; nor is who comes again.
        if (follows_[slot].queued) {
            start(slot);
            follows_[slot].queued = false;
        }
    }
    wanting_.clear();
}

}  // namespace outrider::engine
