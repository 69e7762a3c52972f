#include "outrider/model/query.hpp"

namespace outrider::model {

std::string_view name_of(Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::kAuto: return "AUTO";
        case Algorithm::kDijkstra: return "DIJKSTRA";
        case Algorithm::kAstar: return "ASTAR";
        case Algorithm::kJps: return "JPS";
        case Algorithm::kFast: return "FAST";
        case Algorithm::kTerrain: return "TERRAIN";
    }
    return "?";
}

}  // namespace outrider::model
