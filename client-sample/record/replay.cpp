#include "record/replay.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "cli/cpu_timer.hpp"
#include "outrider/client/landmark_news.hpp"
#include "outrider/client/map_mirror.hpp"
#include "outrider/search/search.hpp"
#include "record/recording_index.hpp"
#include "record/recording_reader.hpp"
#include "record/request_words.hpp"

namespace outrider::record {
namespace {

std::optional<Skip> skip_of(const codec::RecordedPath& path) {
    if (std::holds_alternative<codec::Unanswered>(path.end)) {
        return Skip::kUnanswered;
    }
    if (std::holds_alternative<model::Refusal>(path.end)) {
        return Skip::kRefused;
    }
    switch (std::get<codec::PathHead>(path.end).outcome) {
        case model::Outcome::kBudget: return Skip::kBudget;
        case model::Outcome::kDeadline: return Skip::kDeadline;
        case model::Outcome::kCancelled: return Skip::kCancelled;
        case model::Outcome::kSuperseded: return Skip::kSuperseded;
        default: return std::nullopt;
    }
}

// `a` is within its own bound of `b`, which is no better than the optimum.
bool within_bound(model::Cost a, std::uint32_t bound_percent, model::Cost b) {
    // In floating point, since a file may name any 64-bit cost; a bound needs no last digit.
    return static_cast<double>(a) * 100.0 <=
           static_cast<double>(b) * static_cast<double>(bound_percent) * (1.0 + 1e-12);
}

bool costs_agree(const codec::PathHead& recorded, const model::PathResult& own) {
    if (recorded.bound_percent == 100 && own.bound_percent == 100) {
        return recorded.cost == own.cost;
    }
    return within_bound(recorded.cost, recorded.bound_percent, own.cost) &&
           within_bound(own.cost, own.bound_percent, recorded.cost);
}

class Replayer {
  public:
    Replayer(RecordingReader& reader, RecordingIndex& index, const ReplayOptions& options)
        : reader_(reader), index_(index), options_(options), buffers_(search::make_buffers()) {}

    base::Result<ReplayReport> run() {
        report_.map_name = index_.header.map_name;
        report_.requests = index_.paths.size();
        report_.versions = 1 + index_.edits.size();
        report_.torn_bytes = reader_.torn_bytes();
        if (index_.end) {
            report_.unrecorded = index_.end->unrecorded;
        }
        landmarks_ = client::LandmarkNews(index_.state.info);
        auto store = client::store_of(std::move(index_.state));
        if (!store) {
            return base::fail("the recorded map is not sound: " + store.error().message);
        }
        store_ = std::move(*store);
        first_ = store_->snapshot()->version();
        if (auto done = answer_all(); !done) {
            return std::unexpected(std::move(done.error()));
        }
        return std::move(report_);
    }

  private:
    base::Result<void> answer_all() {
        for (const IndexedPath& indexed : index_.paths) {
            auto record = reader_.at(indexed.place);
            if (!record) {
                return std::unexpected(std::move(record.error()));
            }
            const auto* path = std::get_if<codec::RecordedPath>(&*record);
            if (path == nullptr) {
                return reader_.fail_at(indexed.place, "changed while the file was read");
            }
            auto skip = skip_of(*path);
            if (!skip && (indexed.version < first_ || indexed.version > newest())) {
                skip = Skip::kUnknownVersion;
            }
            if (skip) {
                ++report_.skipped[static_cast<std::size_t>(*skip)];
                continue;
            }
            if (auto done = advance_to(indexed.version); !done) {
                return done;
            }
            compare(*path, std::get<codec::PathHead>(path->end));
        }
        return advance_to(newest());
    }

    [[nodiscard]] model::Version newest() const { return first_ + index_.edits.size(); }

    base::Result<void> advance_to(model::Version version) {
        while (store_->snapshot()->version() < version) {
            const Place place = index_.edits[store_->snapshot()->version() - first_];
            auto record = reader_.at(place);
            if (!record) {
                return std::unexpected(std::move(record.error()));
            }
            auto* edited = std::get_if<codec::MapEdited>(&*record);
            if (edited == nullptr) {
                return reader_.fail_at(place, "changed while the file was read");
            }
            landmarks_.note(*edited);
            const auto made = store_->replay(std::move(edited->batch));
            if (!made) {
                return reader_.fail_at(place, "the map refuses this edit: " + made.error().field +
                                                  " " + made.error().message);
            }
            if (*made != edited->version) {
                return reader_.fail_at(place, "this edit makes no new version");
            }
        }
        snapshot_ = store_->snapshot();
        return {};
    }

    // The class that the request named; the server knew it when it answered.
    [[nodiscard]] std::optional<model::ClassId> class_of(const codec::PathRequest& request) const {
        if (request.class_name.empty()) {
            const model::ClassId id = request.query.movement_class;
            return snapshot_->layer(id) == nullptr ? std::nullopt : std::optional(id);
        }
        for (std::uint16_t id = 0; id < snapshot_->class_count(); ++id) {
            if (snapshot_->layer({id})->movement_class().name == request.class_name) {
                return model::ClassId{id};
            }
        }
        return std::nullopt;
    }

    void compare(const codec::RecordedPath& path, const codec::PathHead& recorded) {
        ++report_.compared;
        model::PathQuery query = path.request.query;
        const auto movement_class = class_of(path.request);
        if (!movement_class) {
            mismatch(path, query, "the map has no such movement class");
            return;
        }
        query.movement_class = *movement_class;
        // Recorded answers did not run out of expansions, and nobody looks at the explored cells.
        query.expansions_max = 0;
        query.explain = false;
        if (options_.algorithm) {
            query.algorithm = *options_.algorithm;
            query.weight_percent = 100;
            query.smoothing = {};
        }
        if (const auto valid = search::validate(*snapshot_, query); !valid) {
            mismatch(path, query,
                     "the request is to be refused: " + valid.error().field + ": " +
                         valid.error().message);
            return;
        }
        const auto ground = ground_of(query);
        if (!ground) {
            mismatch(path, query, "the request is to be refused: " + ground.error().message);
            return;
        }
        const cli::CpuTimer timer;
        const model::PathResult own =
            search::run(*(*ground)->layer(*movement_class), query, *buffers_);
        report_.total_us += timer.elapsed_us();
        if (const std::string fault = fault_of(path, recorded, own, *movement_class);
            !fault.empty()) {
            mismatch(path, query, fault);
        } else if (!options_.algorithm && recorded.path_hash != own.path_hash) {
            ++report_.other_paths;
        }
    }

    // What the question sees: the snapshot, without the obstacle that it ignores.
    [[nodiscard]] std::expected<std::shared_ptr<const map::Snapshot>, model::Refusal> ground_of(
        const model::PathQuery& query) {
        if (!query.ignore_obstacle) {
            return snapshot_;
        }
        return store_->snapshot_without(query.movement_class, *query.ignore_obstacle);
    }

    // Empty: none.
    [[nodiscard]] std::string fault_of(const codec::RecordedPath& path,
                                       const codec::PathHead& recorded,
                                       const model::PathResult& own,
                                       model::ClassId movement_class) const {
        if (recorded.version < path.version_floor) {
            return "version " + std::to_string(path.version_floor) +
                   " was announced before the request was sent";
        }
        if (recorded.outcome != own.outcome) {
            return "recorded outcome " + std::string(model::name_of(recorded.outcome)) +
                   ", replayed " + std::string(model::name_of(own.outcome));
        }
        const bool other_kernel = options_.algorithm.has_value();
        if (other_kernel ? !costs_agree(recorded, own) : recorded.cost != own.cost) {
            return "recorded cost " + std::to_string(recorded.cost) + ", replayed " +
                   std::to_string(own.cost);
        }
        if (!other_kernel && !landmarks_.decides(*snapshot_, movement_class) &&
            recorded.path_hash != own.path_hash) {
            return "another path of the same cost";
        }
        if (!other_kernel && recorded.path_hash == own.path_hash &&
            recorded.smooth_hash != own.smooth.hash) {
            return "the same path, smoothed otherwise";
        }
        return {};
    }

    void mismatch(const codec::RecordedPath& path, const model::PathQuery& query,
                  const std::string& what) {
        ++report_.mismatches;
        if (report_.examples.size() >= options_.examples_max) {
            return;
        }
        const map::Layer* layer = snapshot_->layer(query.movement_class);
        const std::string& class_name =
            layer == nullptr ? path.request.class_name : layer->movement_class().name;
        report_.examples.push_back("connection " + std::to_string(path.connection) + ", request " +
                                   std::to_string(path.id.value) + ", version " +
                                   std::to_string(snapshot_->version()) + ": " + what + "\n    " +
                                   words_of(report_.map_name, class_name, query));
    }

    RecordingReader& reader_;
    RecordingIndex& index_;
    const ReplayOptions& options_;
    search::BuffersPtr buffers_;
    ReplayReport report_;
    std::unique_ptr<map::Store> store_;
    model::Version first_{};
    client::LandmarkNews landmarks_;
    std::shared_ptr<const map::Snapshot> snapshot_;
};

}  // namespace

std::string_view name_of(Skip skip) {
    switch (skip) {
        case Skip::kBudget: return "budget";
        case Skip::kDeadline: return "deadline";
        case Skip::kCancelled: return "cancelled";
        case Skip::kSuperseded: return "superseded";
        case Skip::kRefused: return "refused";
        case Skip::kUnanswered: return "unanswered";
        case Skip::kUnknownVersion: return "unknown_version";
    }
    return "?";
}

base::Result<ReplayReport> replay(std::istream& in, const std::string& name,
                                  const ReplayOptions& options) {
    RecordingReader reader(in, name);
    auto index = read_index(reader);
    if (!index) {
        return std::unexpected(std::move(index.error()));
    }
    return Replayer(reader, *index, options).run();
}

}  // namespace outrider::record
