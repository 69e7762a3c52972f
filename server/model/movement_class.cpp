#include "outrider/model/movement_class.hpp"

#include <string_view>
#include <utility>

namespace outrider::model {

MovementClass ground_class() {
    MovementClass ground;
    ground.name = "ground";
    for (const char open : std::string_view{".GS"}) {
        ground.weights[static_cast<unsigned char>(open)] = 10;
    }
    return ground;
}

MovementClass terrain_class() {
    // A black and B deep water are blocked; a road is cheaper than ground, a mountain three times
    // as dear. `.` is plain ground so that the class also serves maps without letters.
    static constexpr std::pair<char, std::uint8_t> kWeights[] = {
        {'.', 10}, {'C', 30}, {'D', 25}, {'E', 25}, {'F', 10}, {'G', 14}, {'H', 6},  {'I', 15},
        {'J', 18}, {'K', 20}, {'L', 10}, {'M', 13}, {'N', 12}, {'O', 30}, {'P', 20}, {'S', 20},
    };
    MovementClass terrain;
    terrain.name = "terrain";
    for (const auto& [letter, weight] : kWeights) {
        terrain.weights[static_cast<unsigned char>(letter)] = weight;
    }
    return terrain;
}

}  // namespace outrider::model
