#pragma once
// What: the tables beside that of the kernels: Detour, whole-map distances, FAST, edits and
//       queries in turn, surveys. Each is skipped with a word where its files or libraries are
//       missing.

#include <cstddef>

namespace outrider::bench {

// Ours against Recast/Detour on three public maps, the same questions in the same run.
void print_detour(std::size_t questions, std::size_t rounds);
// Cells a second of a distance to every cell of the map.
void print_whole_maps();
// The first leg, the whole path and its excess length; 0 questions: what the goal is stated for.
void print_fast(std::size_t questions);
// Long paths asked of an engine with `first_leg` and without: the leg, and the whole path.
void print_legs(std::size_t questions);
// Broken paths: the question asked afresh beside a search around the break.
void print_repair(std::size_t questions);
// Patches and queries in turn, as in the competition's dynamic track.
void print_dynamic();
// Many units by one wave beside as many paths; what a wave settles beside Dijkstra.
void print_groups();

}  // namespace outrider::bench
