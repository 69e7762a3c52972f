#pragma once
// What: the set-ups of the teaching material that the project grew from, each with the material's
//       own figures beside ours.

namespace outrider::bench {

void print_teaching_tables();

}  // namespace outrider::bench
