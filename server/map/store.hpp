#pragma once
// What:     the live state of one map: the newest snapshot, and the writer that makes the next.
// Contract: a batch is applied whole or refused whole; where memory runs out amid it, nothing has
//           changed. Each applied batch, each new movement class and each set of landmarks makes
//           the next version. Version 1 is the map as loaded. An empty batch is refused: it would
//           wake every watcher for nothing.
// Threads:  one writer turn at a time (a mutex inside); snapshot() never waits for a writer turn,
//           only for the swap of a pointer.
// Cost:     a batch costs what it touches, not the size of the map.

#include <atomic>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "outrider/base/mutex.hpp"
#include "outrider/map/landmarks.hpp"
#include "outrider/map/map_file.hpp"
#include "outrider/map/snapshot.hpp"
#include "outrider/model/edit.hpp"
#include "outrider/model/outcome.hpp"

namespace outrider::map {

class Obstacles;

// Everything that makes an equal map elsewhere: a client's mirror, a recording.
struct State {
    model::Version version{};
    Grid grid;
    std::vector<model::PlaceObstacle> obstacles;  // by ascending id
    std::vector<model::MovementClass> classes;    // index = ClassId
    std::vector<bool> landmarks{};                // the same: ready; restore() makes none
};

class Store {
  public:
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    ~Store();

    // Called inside the writer turn, in version order, once a version: with the snapshot that is to
    // be the newest, and the batch, or where no cell changes one that holds nothing but
    // `added_class`, or nothing but `landmarks_of`. Calls `publish`, once: before, it may throw,
    // and the version is not made; afterwards it must not. Must not block.
    using Listener = std::function<void(const std::shared_ptr<const Snapshot>& next,
                                        const std::shared_ptr<const model::EditBatch>& batch,
                                        const std::function<void()>& publish)>;

    // Refuses sides beyond limits::kMapSideMax, no classes, too many, or a bad class.
    [[nodiscard]] static base::Result<std::unique_ptr<Store>> create(
        Grid grid, std::vector<model::MovementClass> classes);
    // A mirror: version, obstacles and classes as in `state`.
    [[nodiscard]] static base::Result<std::unique_ptr<Store>> restore(State state);

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;
    [[nodiscard]] std::expected<model::EditReceipt, model::Refusal> apply(model::EditBatch batch);
    // A class equal to a known one returns that one's id and makes no version; the same name with
    // other content is refused.
    [[nodiscard]] std::expected<std::pair<model::ClassId, model::Version>, model::Refusal>
    add_class(model::MovementClass movement_class);
    // Gives the class landmarks that were measured on the terrain of version `measured_on`, and so
    // makes a version. Nothing when some cell has
    // become cheaper for the class since.
    [[nodiscard]] std::optional<model::Version> adopt_landmarks(
        model::ClassId id, model::Version measured_on, std::shared_ptr<const Landmarks> landmarks);
    // For mirrors: makes the version that another store announced to its listener.
    [[nodiscard]] std::expected<model::Version, model::Refusal> replay(model::EditBatch announced);
    // store_view.cpp: the newest snapshot as the class would see it if the obstacle were not there;
    // what other classes see stays. Makes no version, and shares what it can with the newest; where
    // the map has no such obstacle it is the newest itself. Refuses an obstacle on more than
    // kIgnoredCellsMax cells of the map. Costs a writer turn, as an edit of the obstacle's size for
    // one class.
    [[nodiscard]] std::expected<std::shared_ptr<const Snapshot>, model::Refusal> snapshot_without(
        model::ClassId id, model::ObstacleId obstacle);
    [[nodiscard]] State state() const;
    // From now on every version goes to `listener`. One listener a store; null takes it away.
    void listen(Listener listener);
    // Snapshots of this map still held by somebody, the newest included.
    [[nodiscard]] std::size_t snapshots_alive() const;
    // Made by snapshot_without() and still held; they do not count as snapshots.
    [[nodiscard]] std::size_t views_alive() const;

  private:
    explicit Store(const Grid& grid);

    [[nodiscard]] static base::Result<void> check_grid(const Grid& grid);
    void load(const State& state) OUTRIDER_EXCLUDES(writer_);
    std::shared_ptr<const Snapshot> publish(Snapshot::Parts parts,
                                            const std::shared_ptr<const model::EditBatch>& batch)
        OUTRIDER_REQUIRES(writer_) OUTRIDER_EXCLUDES(newest_mutex_);
    // A version on which no cell differs: a class got landmarks, where that is known. `old` as what
    // publish() returns.
    model::Version publish_unchanged(Snapshot::Parts parts, std::optional<model::ClassId> got,
                                     std::shared_ptr<const Snapshot>& old)
        OUTRIDER_REQUIRES(writer_) OUTRIDER_EXCLUDES(newest_mutex_);
    [[nodiscard]] static State state_of(const Snapshot& snapshot,
                                        std::vector<model::PlaceObstacle> obstacles);

    mutable base::Mutex writer_;
    std::unique_ptr<Obstacles> obstacles_ OUTRIDER_GUARDED_BY(writer_);
    Listener listener_ OUTRIDER_GUARDED_BY(writer_);

    mutable base::Mutex newest_mutex_;
    std::shared_ptr<const Snapshot> newest_ OUTRIDER_GUARDED_BY(newest_mutex_);

    std::shared_ptr<std::atomic<std::size_t>> alive_;
    std::shared_ptr<std::atomic<std::size_t>> views_alive_;
};

// What create() and add_class() check, for callers that want the refusal early.
[[nodiscard]] std::expected<void, model::Refusal> check_class(
    const model::MovementClass& movement_class);

}  // namespace outrider::map
