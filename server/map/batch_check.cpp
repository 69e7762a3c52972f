#include "outrider/map/batch_check.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "outrider/base/limits.hpp"
#include "outrider/model/obstacle_mask.hpp"

namespace outrider::map {
namespace {

namespace limits = base::limits;
using Status = std::expected<void, model::Refusal>;

std::unexpected<model::Refusal> refuse(std::string field, std::string message) {
    return std::unexpected(model::Refusal{
        model::RefusalCode::kInvalidArgument, std::move(field), std::move(message), {}});
}

// Walks the batch as the writer will, on sizes alone.
class BatchCheck {
  public:
    explicit BatchCheck(const Obstacles& obstacles)
        : obstacles_(obstacles),
          obstacle_count_(obstacles.size()),
          mask_bytes_(obstacles.mask_bytes()) {}

    Status run(const model::EditBatch& batch) {
        if (batch.landmarks_of) {
            return refuse("edit.landmarks_of", "landmarks are what the server builds by itself");
        }
        if (batch.added_class) {
            return refuse("edit.added_class", "a class is registered by a request of its own");
        }
        if (batch.edits.empty()) {
            return refuse("edit.edits", "the batch is empty; send at least one edit");
        }
        if (batch.edits.size() > limits::kEditsPerBatchMax) {
            return refuse("edit.edits", "more than " + std::to_string(limits::kEditsPerBatchMax) +
                                            " edits in one batch; split it");
        }
        for (std::size_t i = 0; i < batch.edits.size(); ++i) {
            const std::string field = "edit.edits[" + std::to_string(i) + "]";
            const auto status =
                std::visit([&](const auto& edit) { return check(edit, field); }, batch.edits[i]);
            if (!status) {
                return status;
            }
        }
        return {};
    }

  private:
    struct Size {
        std::int64_t cells{0};  // of the footprint, inside the map
        std::size_t mask_bytes{0};
    };

    Status check(const model::TerrainEdit& edit, const std::string& field) {
        if (edit.rect.empty()) {
            return refuse(field + ".terrain.rect", "width and height must be at least 1");
        }
        const auto values = static_cast<std::int64_t>(edit.terrain.size());
        if (values != 1 && values != edit.rect.area()) {
            return refuse(field + ".terrain.terrain",
                          "give one value for all cells, or one a cell of the whole rectangle: " +
                              std::to_string(edit.rect.area()));
        }
        // Values beside the map change nothing, yet are copied to every watcher.
        const std::int64_t cells = values == 1 ? obstacles_.clip(edit.rect).area() : values;
        return take(cells, written_, field + ".terrain.rect");
    }

    Status check(const model::PlaceObstacle& place, const std::string& field) {
        if (place.footprint.empty()) {
            return refuse(field + ".place.footprint", "width and height must be at least 1");
        }
        if (auto status = check_mask(place, field + ".place"); !status) {
            return status;
        }
        const std::optional<Size> before = size_of(place.id);
        if (!before && obstacle_count_++ >= limits::kObstaclesPerMapMax) {
            return refuse(field + ".place.obstacle_id",
                          "the map holds " + std::to_string(limits::kObstaclesPerMapMax) +
                              " obstacles; remove some first");
        }
        if (auto status =
                take(before.value_or(Size{}).cells, cleared_, field + ".place.obstacle_id");
            !status) {
            return status;
        }
        const Size size{obstacles_.clip(place.footprint).area(), place.mask.size()};
        mask_bytes_ += size.mask_bytes - before.value_or(Size{}).mask_bytes;
        if (mask_bytes_ > limits::kMaskBytesPerMapMax) {
            return refuse(field + ".place.mask",
                          "the masks of this map's obstacles would hold more than " +
                              std::to_string(limits::kMaskBytesPerMapMax) +
                              " bytes; remove some first");
        }
        sizes_[place.id] = size;
        // A mask beside the map changes nothing, yet is copied to every watcher.
        const std::int64_t sent = std::max(size.cells, static_cast<std::int64_t>(size.mask_bytes));
        return take(sent, written_, field + ".place.footprint");
    }

    Status check(const model::RemoveObstacle& remove, const std::string& field) {
        const std::optional<Size> before = size_of(remove.id);
        if (!before) {
            return {};
        }
        --obstacle_count_;
        mask_bytes_ -= before->mask_bytes;
        sizes_[remove.id] = std::nullopt;
        return take(before->cells, cleared_, field + ".remove.obstacle_id");
    }

    // Of an obstacle at this point of the batch; nothing when there is none.
    std::optional<Size> size_of(model::ObstacleId id) const {
        if (const auto found = sizes_.find(id); found != sizes_.end()) {
            return found->second;
        }
        const model::PlaceObstacle* known = obstacles_.find(id);
        return known == nullptr ? std::nullopt
                                : std::optional(Size{obstacles_.clip(known->footprint).area(),
                                                     known->mask.size()});
    }

    static Status take(std::int64_t cells, std::int64_t& taken, const std::string& field) {
        taken += cells;
        if (taken > limits::kCellsPerBatchMax) {
            return refuse(field, "the batch changes more than " +
                                     std::to_string(limits::kCellsPerBatchMax) +
                                     " cells, or bytes of masks, up to here; split it");
        }
        return {};
    }

    const Obstacles& obstacles_;
    std::size_t obstacle_count_;
    std::size_t mask_bytes_;
    // Counted apart, so that whatever could be placed can be moved in one batch.
    std::int64_t written_{0};
    std::int64_t cleared_{0};
    std::map<model::ObstacleId, std::optional<Size>> sizes_;
};

}  // namespace

std::expected<void, model::Refusal> check_mask(const model::PlaceObstacle& obstacle,
                                               const std::string& field) {
    if (obstacle.mask.empty()) {
        return {};
    }
    const model::Rect& rect = obstacle.footprint;
    if (rect.area() > limits::kMaskCellsMax) {
        return refuse(field + ".mask", "a footprint with a mask has at most " +
                                           std::to_string(limits::kMaskCellsMax) +
                                           " cells; place it in several obstacles");
    }
    if (obstacle.mask.size() != model::mask_bytes(rect)) {
        return refuse(field + ".mask",
                      "holds " + std::to_string(obstacle.mask.size()) +
                          " bytes; send one bit a cell of the footprint, rounded up to bytes: " +
                          std::to_string(model::mask_bytes(rect)));
    }
    return {};
}

std::expected<void, model::Refusal> check_batch(const model::EditBatch& batch,
                                                const Obstacles& obstacles) {
    return BatchCheck(obstacles).run(batch);
}

}  // namespace outrider::map
