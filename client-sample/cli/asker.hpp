#pragma once
// What:     who answers the queries of a scenario: the search in this process, or a server.
// Contract: the time of an answer is processor time in process (a busy machine does not spoil it)
//           and wall time from call to answer through a server.

#include <memory>
#include <string>

#include "cli/options.hpp"
#include "outrider/map/store.hpp"
#include "outrider/search/search.hpp"

namespace outrider::cli {

struct TimedAnswer {
    model::PathResult result;
    double elapsed_us{};
};

class Asker {
  public:
    virtual ~Asker() = default;
    [[nodiscard]] virtual client::Result<TimedAnswer> ask(const model::PathQuery& query) = 0;
};

// On the newest snapshot of a store.
class LocalAsker final : public Asker {
  public:
    explicit LocalAsker(const map::Store& store)
        : store_(store), buffers_(search::make_buffers()) {}
    [[nodiscard]] client::Result<TimedAnswer> ask(const model::PathQuery& query) override;

  private:
    const map::Store& store_;
    search::BuffersPtr buffers_;
};

// One request at a time, so that a time is that of one answer.
class ServerAsker final : public Asker {
  public:
    ServerAsker(client::Client& client, model::MapId map) : client_(client), map_(map) {}
    [[nodiscard]] client::Result<TimedAnswer> ask(const model::PathQuery& query) override;

  private:
    client::Client& client_;
    model::MapId map_;
};

}  // namespace outrider::cli
