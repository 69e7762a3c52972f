#pragma once
// What: a world of clients around one pumped engine, with a plain model of what each request may be
//       answered, checked at every reply.

#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "outrider/engine/engine.hpp"
#include "outrider/search/search.hpp"
#include "support/engine_world.hpp"
#include "support/random.hpp"

namespace outrider::sim {

// Of the clients that the engine has, one only watches.
inline constexpr std::size_t kWatchers = 1;
// More than any search of these small maps needs.
inline constexpr std::uint64_t kAmpleExpansions = 1'000'000;

class Model {
  public:
    explicit Model(test::Random& random);
    // Its sinks may be told of the end.
    ~Model() { engine_.reset(); }
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    [[nodiscard]] test::ManualClock& clock() { return clock_; }
    void connect();
    void disconnect(test::Random& random);
    void submit(test::Random& random);
    void submit_survey(test::Random& random);
    void cancel(test::Random& random);
    void edit(test::Random& random);
    // A unit that is followed says where it is: mostly farther along its path.
    void report(test::Random& random);
    // Another map takes the place of the one that everybody is on.
    void swap(test::Random& random);
    void run(std::chrono::microseconds budget);
    void run_to_the_end();
    void begin_drain();
    // Destroys the engine; every request of every client that stayed must have had its reply.
    void end();
    void check_bounds();
    // Paths that were mended in place of being searched for anew.
    [[nodiscard]] std::uint64_t mended() const { return mended_; }
    // Requests that had their last reply, which was checked.
    [[nodiscard]] std::uint64_t checked() const { return checked_; }
    [[nodiscard]] std::uint64_t legs() const { return legs_; }

  private:
    struct Asked {
        model::PathRequest request;
        model::Version version_before{};  // newest when it was submitted
        std::size_t open_total{};         // in flight when it was submitted, by the model
        std::size_t open_of_client{};
        std::size_t follows_total{};  // living or to begin, but for the one that it supersedes
        std::size_t follows_of_client{};
        bool valid{true};
        bool after_drain{false};
        bool cancelled{false};
        bool superseded{false};
        bool duplicate{false};
        std::optional<model::LegPush> leg{};
    };
    // A path that is kept alive.
    struct Followed {
        model::PathRequest request;
        model::Cell at;  // as last reported
        model::PathAnswer answer;
        bool cancelled{false};
        bool superseded{false};
    };
    struct AskedSurvey {
        model::SurveyRequest request;
        model::Version version_before{};
        std::size_t open_total{};
        std::size_t open_of_client{};
        bool valid{true};
        bool after_drain{false};
        bool cancelled{false};
        bool duplicate{false};
        std::vector<model::SurveyReply> parts;
    };
    class Sink;
    class Watcher;
    struct Client {
        model::ClientId id;
        bool connected{true};
        // Requests in flight by id; an id may be in use once, and once more as a duplicate that is
        // refused inside submit().
        std::map<std::uint64_t, Asked> open;
        std::map<std::uint64_t, Followed> follows;
        std::optional<Asked> submitting;
        std::map<std::uint64_t, AskedSurvey> surveys;
        std::optional<AskedSurvey> submitting_survey;
        [[nodiscard]] bool uses(std::uint64_t asked) const {
            return open.contains(asked) || follows.contains(asked) || surveys.contains(asked);
        }
        model::Version watched{};
        std::size_t drops{};  // maps that it has heard the end of
    };

    [[nodiscard]] Client* any_client(test::Random& random);
    [[nodiscard]] model::PathRequest any_request(test::Random& random);
    [[nodiscard]] std::size_t open_total() const;
    [[nodiscard]] std::size_t late_requests() const;
    void mark_superseded(Client& client, const model::PathRequest& request);
    void on_reply(Client& client, const model::PathReply& reply);
    void check_answer(const Asked& asked, const model::PathAnswer& answer);
    void check_refusal(const Asked& asked, const model::Refusal& refusal) const;
    void check_same_as_alone(model::PathQuery query, const model::PathAnswer& answer);
    [[nodiscard]] model::PathResult alone(model::PathQuery query, model::Version version);

    // engine_model_view.cpp: the newest version of the mirror is kept for comparison.
    void keep_version();
    // What a question sees: made from nothing where it ignores an obstacle.
    [[nodiscard]] std::shared_ptr<const map::Layer> layer_of(const model::PathQuery& query,
                                                             model::Version version);

    // engine_model_maps.cpp
    [[nodiscard]] static map::Grid any_grid(test::Random& random);
    [[nodiscard]] static std::vector<model::MovementClass> classes();
    // The model's own copy of a map that the engine has just got.
    void begin_on(model::MapId map, const map::Grid& grid);
    void on_map_dropped(Client& client, model::MapId map, model::MapId successor);

    // engine_model_survey.cpp
    [[nodiscard]] model::SurveyRequest any_survey(test::Random& random);
    void on_survey(Client& client, const model::SurveyReply& reply);
    void check_survey(const AskedSurvey& asked, const model::SurveyReply& last);
    void check_survey_refusal(const AskedSurvey& asked, const model::Refusal& refusal) const;

    // engine_model_leg.cpp
    void on_leg(Client& client, const model::LegPush& push);
    void check_leg(const Asked& asked, const model::PathAnswer& answer);
    // What a search by itself says of where the path begins.
    [[nodiscard]] std::optional<model::FirstLeg> leg_alone(model::PathQuery query,
                                                           model::Version version);

    // engine_model_landmarks.cpp
    void connect_watcher();
    void follow_landmarks();

    // engine_model_follow.cpp
    void on_push(Client& client, const model::PathPush& push);
    void check_end(const Followed& followed, const model::PathPush& push) const;
    // The answer to the question asked afresh, or a mended path within the bound that was allowed.
    void check_push(const Followed& followed, const model::PathPush& push);
    void check_news(const Followed& followed, const model::PathPush& push);
    // The cost of the rest of the path from `at` on that version; nothing where it is closed or
    // does not pass there.
    [[nodiscard]] std::optional<model::Cost> rest_cost(const Followed& followed,
                                                       const model::PathResult& path,
                                                       model::Version version);
    // Nothing is left to do: everybody who is followed has a path as good as was promised.
    void check_followed_at_rest();
    [[nodiscard]] std::size_t follows_of(const Client& client) const;
    [[nodiscard]] std::size_t follows_total() const;

    engine::Config config_;
    test::ManualClock clock_;
    std::unique_ptr<engine::Engine> engine_;
    model::MapId map_;
    std::int32_t width_{};
    std::int32_t height_{};
    // Takes the same edits; all its versions are kept for comparison.
    std::unique_ptr<map::Store> mirror_;
    std::vector<std::shared_ptr<const map::Snapshot>> versions_;
    std::vector<std::vector<model::PlaceObstacle>> obstacles_;  // by version
    std::map<std::tuple<model::Version, std::uint16_t, std::uint64_t>,
             std::shared_ptr<const map::Layer>>
        views_;  // by version, class and the obstacle that is not there
    std::vector<std::weak_ptr<const map::Snapshot>> alive_;  // those of the engine
    std::vector<std::unique_ptr<Client>> clients_;           // in order of arrival
    search::BuffersPtr buffers_{search::make_buffers()};
    std::uint64_t mended_{0};
    std::uint64_t checked_{0};
    std::uint64_t legs_{0};
    bool draining_{false};
    bool ending_{false};
    bool swapping_{false};
    model::ClientId watcher_;
};

}  // namespace outrider::sim
