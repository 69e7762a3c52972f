#include "bench/detour_rival.hpp"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourNavMeshQuery.h>
#include <recastnavigation/Recast.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "bench/ground.hpp"
#include "outrider/model/cost.hpp"

namespace outrider::bench {
namespace {

constexpr int kWalkableHeight = 3;
constexpr int kWalkableClimb = 1;
constexpr int kRegionCellsMin = 8;
constexpr int kRegionCellsMerged = 20;
constexpr float kContourError = 1.3F;
constexpr int kCornersMax = 6;
constexpr int kPathMax = 4096;
constexpr int kNodesMax = 65535;
constexpr float kEndTolerance = 2.0F;

template <typename T, void (*kFree)(T*)>
struct Freed {
    void operator()(T* thing) const { kFree(thing); }
};
using HeightfieldPtr = std::unique_ptr<rcHeightfield, Freed<rcHeightfield, rcFreeHeightField>>;
using CompactPtr =
    std::unique_ptr<rcCompactHeightfield, Freed<rcCompactHeightfield, rcFreeCompactHeightfield>>;
using ContoursPtr = std::unique_ptr<rcContourSet, Freed<rcContourSet, rcFreeContourSet>>;
using PolyMeshPtr = std::unique_ptr<rcPolyMesh, Freed<rcPolyMesh, rcFreePolyMesh>>;
using NavMeshPtr = std::unique_ptr<dtNavMesh, Freed<dtNavMesh, dtFreeNavMesh>>;
using QueryPtr = std::unique_ptr<dtNavMeshQuery, Freed<dtNavMeshQuery, dtFreeNavMeshQuery>>;

void need(bool done, const char* what) {
    if (!done) {
        give_up(std::string("Recast cannot ") + what);
    }
}

CompactPtr open_cells(rcContext& context, const map::Layer& layer) {
    const HeightfieldPtr field(rcAllocHeightfield());
    const float low[3] = {0, 0, 0};
    const float high[3] = {static_cast<float>(layer.width()), 10.0F,
                           static_cast<float>(layer.height())};
    need(
        rcCreateHeightfield(&context, *field, layer.width(), layer.height(), low, high, 1.0F, 1.0F),
        "make a height field");
    for (std::int32_t y = 0; y < layer.height(); ++y) {
        for (std::int32_t x = 0; x < layer.width(); ++x) {
            if (layer.open({x, y})) {
                need(rcAddSpan(&context, *field, x, y, 0, 1, RC_WALKABLE_AREA, 1), "add a span");
            }
        }
    }
    CompactPtr compact(rcAllocCompactHeightfield());
    need(rcBuildCompactHeightfield(&context, kWalkableHeight, kWalkableClimb, *field, *compact),
         "pack the height field");
    return compact;
}

PolyMeshPtr polygons_of(rcContext& context, const map::Layer& layer) {
    const CompactPtr compact = open_cells(context, layer);
    need(rcBuildDistanceField(&context, *compact), "measure distances");
    need(rcBuildRegions(&context, *compact, 0, kRegionCellsMin, kRegionCellsMerged),
         "find regions");
    const ContoursPtr contours(rcAllocContourSet());
    need(rcBuildContours(&context, *compact, kContourError, 0, *contours), "trace contours");
    PolyMeshPtr mesh(rcAllocPolyMesh());
    need(rcBuildPolyMesh(&context, *contours, kCornersMax, *mesh), "cut polygons");
    for (int i = 0; i < mesh->npolys; ++i) {
        mesh->flags[i] = 1;
    }
    return mesh;
}

NavMeshPtr navigation_of(const rcPolyMesh& mesh) {
    dtNavMeshCreateParams params{};
    params.verts = mesh.verts;
    params.vertCount = mesh.nverts;
    params.polys = mesh.polys;
    params.polyAreas = mesh.areas;
    params.polyFlags = mesh.flags;
    params.polyCount = mesh.npolys;
    params.nvp = mesh.nvp;
    params.walkableHeight = kWalkableHeight;
    params.walkableClimb = kWalkableClimb;
    std::copy_n(mesh.bmin, 3, params.bmin);
    std::copy_n(mesh.bmax, 3, params.bmax);
    params.cs = mesh.cs;
    params.ch = mesh.ch;
    params.buildBvTree = true;
    unsigned char* data = nullptr;
    int bytes = 0;
    need(dtCreateNavMeshData(&params, &data, &bytes), "make Detour's data");
    NavMeshPtr navigation(dtAllocNavMesh());
    need(dtStatusSucceed(navigation->init(data, bytes, DT_TILE_FREE_DATA)), "load the mesh");
    return navigation;
}

}  // namespace

struct DetourRival::Mesh {
    PolyMeshPtr polygons;
    NavMeshPtr navigation;
    QueryPtr query{dtAllocNavMeshQuery()};
    dtQueryFilter filter;
    std::array<dtPolyRef, kPathMax> corridor{};
    std::array<float, 3 * kPathMax> points{};
};

DetourRival::DetourRival(const map::Layer& layer) : mesh_(std::make_unique<Mesh>()) {
    rcContext context(false);
    mesh_->polygons = polygons_of(context, layer);
    mesh_->navigation = navigation_of(*mesh_->polygons);
    need(dtStatusSucceed(mesh_->query->init(mesh_->navigation.get(), kNodesMax)), "make a query");
}

DetourRival::~DetourRival() = default;

int DetourRival::polygons() const {
    return mesh_->polygons->npolys;
}

Reply DetourRival::ask(const model::PathQuery& query) {
    Mesh& mesh = *mesh_;
    constexpr float kExtents[3] = {2, 4, 2};
    const auto centre = [](std::int32_t at) { return static_cast<float>(at) + 0.5F; };
    const float from[3] = {centre(query.start.x), 1, centre(query.start.y)};
    const float to[3] = {centre(query.goal.rect.x), 1, centre(query.goal.rect.y)};
    std::array<dtPolyRef, 2> ends{};
    float start[3];
    float goal[3];
    mesh.query->findNearestPoly(from, kExtents, &mesh.filter, &ends[0], start);
    mesh.query->findNearestPoly(to, kExtents, &mesh.filter, &ends[1], goal);
    int corridor = 0;
    mesh.query->findPath(ends[0], ends[1], start, goal, &mesh.filter, mesh.corridor.data(),
                         &corridor, kPathMax);
    if (corridor == 0 || mesh.corridor[static_cast<std::size_t>(corridor) - 1] != ends[1]) {
        return {};
    }
    int count = 0;
    mesh.query->findStraightPath(start, goal, mesh.corridor.data(), corridor, mesh.points.data(),
                                 nullptr, nullptr, &count, kPathMax);
    float length = 0;
    const float* points = mesh.points.data();
    for (int i = 1; i < count; ++i) {
        length +=
            std::hypot(points[3 * i] - points[3 * i - 3], points[3 * i + 2] - points[3 * i - 1]);
    }
    const float* last = points + 3 * (count - 1);
    if (count == 0 || std::hypot(last[0] - to[0], last[2] - to[2]) > kEndTolerance) {
        return {};
    }
    const double cost = static_cast<double>(length) * static_cast<double>(model::kCostPerCell);
    // Both ends may be put on one point of a polygon: a cost of 0 would say "no path".
    return {static_cast<std::uint64_t>(corridor), std::max(static_cast<model::Cost>(cost), 1UL)};
}

}  // namespace outrider::bench
