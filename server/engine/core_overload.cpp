#include "outrider/engine/core.hpp"
#include "outrider/engine/replies.hpp"

namespace outrider::engine {

std::optional<model::Refusal> Core::overload_of(const Client& client) {
    if (requests_.in_use() - replans_ >= requests_max_) {
        return overloaded("requests in flight", requests_max_, retry_after_);
    }
    if (client.requests.size() >= requests_per_client_max_) {
        return overloaded("requests of one client in flight", requests_per_client_max_,
                          retry_after_);
    }
    if (memory_.full()) {
        publish_memory();  // what idles since the ledger was not tight yet gives way to this one
    }
    if (memory_.full()) {
        return out_of_memory(memory_.sum(), retry_after_);
    }
    return std::nullopt;
}

std::optional<model::Refusal> Core::shed(Client& client, base::Duration estimate,
                                         model::Priority priority, base::TimePoint now) {
    // Where all together is below every bound, the clients need not be gone through.
    const bool calm = scheduler_.backlog() / workers_ <= door_rules_.harmless();
    const base::Duration wait =
        (calm ? scheduler_.backlog() : scheduler_.wait_of(index_of(client.id), estimate)) /
        workers_;
    const auto stay_away = client.door.refuses(door_rules_, {wait, estimate, priority}, now);
    if (!stay_away) {
        return std::nullopt;
    }
    ++stats_.shed;
    return too_long_a_wait(wait, *stay_away);
}

bool Core::would_join(const Submission& submission) const {
    const auto found = join_list_.find({submission.map->id(), submission.request.query});
    return found != join_list_.end() && joins(jobs_[found->second], submission);
}

void Core::publish_memory() {
    memory_.set(MemoryPart::kSearches, stats_.buffer_bytes);
    memory_.set(MemoryPart::kSurveys, survey_bytes_);
    memory_.set(MemoryPart::kSurveyAnswers, results_.bytes());
    memory_.set(MemoryPart::kFollows, follows_.bytes());
    if (memory_.tight() && benches_.size() > 0) {
        // New ones take time, and these memory that others need more.
        stats_.buffer_bytes -= benches_.clear();
        memory_.set(MemoryPart::kSearches, stats_.buffer_bytes);
    }
}

}  // namespace outrider::engine
