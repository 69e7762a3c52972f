#include "outrider/model/survey.hpp"

#include <array>

namespace outrider::model {

std::string_view name_of(const Survey& survey) {
    static constexpr std::array<std::string_view, std::variant_size_v<decltype(survey.query)>>
        kNames{"group", "nearest", "reach", "matrix", "field", "connected", "sight"};
    return kNames[survey.query.index()];
}

}  // namespace outrider::model
