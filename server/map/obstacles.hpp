#pragma once
// What:     the obstacles of a map, by id, and how many of them block each cell.
// Contract: obstacles that let nobody pass are counted once for all classes; gates are counted per
//           team, for the teams that were asked for by watch_team(). Footprints may lie partly or
//           wholly outside the map. Where place() finds no memory nothing has changed; what it and
//           remove() return takes them back, and needs none.
// Threads:  the writer's alone.
// Cost:     place and remove: the cells of the footprint inside the map. Memory: 4 bytes a cell in
//           chunks of 64 x 64 where an obstacle stands.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "outrider/model/cell.hpp"
#include "outrider/model/edit.hpp"

namespace outrider::map {

// How many obstacles cover each cell.
class CountPlane {
  public:
    CountPlane(std::int32_t width, std::int32_t height);
    // Rectangles are inside the map, and have room before they are first counted.
    void make_room(const model::Rect& rect);
    // The counts never fall below zero.
    void add(const model::Rect& rect, std::int32_t change) noexcept;
    // Where nothing is covered any more.
    void let_go(const model::Rect& rect) noexcept;
    // Sets out[i] to `mark` where a cell (x + i, y) is covered. Cells inside the map.
    void mark(std::int32_t x, std::int32_t y, std::span<std::uint8_t> out, std::uint8_t mark) const;

  private:
    // 32 bits: a map may hold more obstacles than 16 bits count, all on one cell.
    struct Chunk {
        std::array<std::uint32_t, 64 * 64> counts{};
        std::int32_t covered{0};
    };
    // visit(chunk, the rectangle's part in it)
    template <class Visit>
    void for_each_chunk(const model::Rect& rect, Visit visit);
    static void add_in_chunk(Chunk& chunk, const model::Rect& part, std::int32_t change) noexcept;

    std::int32_t chunks_across_;
    std::vector<std::unique_ptr<Chunk>> chunks_;
    // The last that became empty, and so all zeros: buildings come and go, and to allocate and
    // clear 16 KiB takes longer than to count.
    std::unique_ptr<Chunk> spare_;
};

class Obstacles {
  public:
    // An obstacle on its way out, or none.
    using Node = std::map<model::ObstacleId, model::PlaceObstacle>::node_type;

    Obstacles(std::int32_t width, std::int32_t height);

    // Counts gates for this team from now on. Without effect when already done.
    void watch_team(std::uint8_t team);
    // What stood under the id before, for undo().
    Node place(const model::PlaceObstacle& obstacle);
    Node remove(model::ObstacleId id) noexcept;
    // Takes back the last change of the id, before let_go().
    void undo(model::ObstacleId id, Node before) noexcept;
    // Frees counts where nothing stands any more: after a batch, in what it touched.
    void let_go(const model::Rect& rect) noexcept;
    // For an obstacle of the map: its cells are counted as if it were not there, and again.
    void lift(const model::PlaceObstacle& known) noexcept { count(known, -1); }
    void put_back(const model::PlaceObstacle& known) noexcept { count(known, 1); }
    [[nodiscard]] const model::PlaceObstacle* find(model::ObstacleId id) const;
    [[nodiscard]] std::size_t size() const { return by_id_.size(); }
    // Of all masks together.
    [[nodiscard]] std::size_t mask_bytes() const { return mask_bytes_; }
    // By ascending id.
    [[nodiscard]] std::vector<model::PlaceObstacle> all() const;
    // Sets out[i] to `mark` where a unit of `team` (0: none) cannot stand on (x + i, y). The team
    // has been named to watch_team().
    void mark_blocked(model::Cell first, std::uint8_t team, std::span<std::uint8_t> out,
                      std::uint8_t mark) const;
    [[nodiscard]] model::Rect clip(const model::Rect& rect) const;

  private:
    struct TeamPlane {
        std::uint8_t team;
        CountPlane counts;
    };
    // visit(plane) for each that counts the obstacle.
    template <class Visit>
    void for_each_plane(const model::PlaceObstacle& obstacle, Visit visit);
    void count(const model::PlaceObstacle& obstacle, std::int32_t change) noexcept;
    void add_parts(const model::PlaceObstacle& obstacle, CountPlane& counts,
                   std::int32_t change) const noexcept;

    std::int32_t width_;
    std::int32_t height_;
    std::size_t mask_bytes_{0};
    // Ordered: state() lists by id, and no choice of ids makes it slow.
    std::map<model::ObstacleId, model::PlaceObstacle> by_id_;
    CountPlane solid_;
    std::vector<TeamPlane> gates_;
};

}  // namespace outrider::map
