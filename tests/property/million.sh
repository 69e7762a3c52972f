# The verb million of dev.sh; sourced by it, and using its functions.
# shellcheck shell=bash disable=SC2154

# checked_rounds PROGRAM PER_SCALE WANTED WHAT: one process a core, each with a seed of its own,
# which it prints. A program checks at least PER_SCALE things at scale 1 and says `checked N`; the
# sum must reach WANTED. PROGRAM stands in build/dev/tests.
checked_rounds() {
    local program="$1" wanted="$3" scale logs pids=() i failed=0 checked
    scale=$((wanted / ($2 * jobs) + 1))
    logs="$(mktemp -d)"
    say "$program: $jobs processes, OUTRIDER_TEST_SCALE=$scale each"
    for ((i = 0; i < jobs; i++)); do
        env -u OUTRIDER_TEST_SEED OUTRIDER_TEST_SCALE="$scale" \
            "build/dev/tests/$program" >"$logs/$i" 2>&1 </dev/null &
        pids+=($!)
    done
    for ((i = 0; i < jobs; i++)); do
        wait "${pids[i]}" || { failed=1 && { head -n 5 "$logs/$i"; tail -n 60 "$logs/$i"; } >&2; }
    done
    checked="$(cat "$logs"/* | awk '/^checked / { sum += $2 } END { print sum + 0 }')"
    rm -rf "$logs"
    [[ "$failed" == 0 ]] || die "$program failed; the seed stands above"
    [[ "$checked" -ge "$wanted" ]] || die "$program: only $checked of $wanted were checked"
    say "$checked $4"
}

million() {
    local wanted="${1:-1000000}"
    [[ "$wanted" =~ ^[1-9][0-9]*$ ]] || usage_error "million needs a number: $wanted"
    need build test
    configure dev
    cmake --build --preset dev --parallel "$jobs" \
        --target search_property_test regions_property_test world_property_test engine_sim_test
    # 150 rounds of 16 questions, 50 maps of 100 edits, 150 worlds of 100 steps, and 2,000 runs of
    # 20 requests on average, at scale 1.
    checked_rounds property/search_property_test $((150 * 16)) "$wanted" \
        "questions to every kernel, all as the oracle answers"
    checked_rounds property/regions_property_test $((50 * 100)) "$wanted" \
        "edits, and after each one the regions equal a flood fill"
    checked_rounds property/world_property_test $((150 * 100)) "$wanted" \
        "edits, questions and reports to an engine, all as a map made from nothing says"
    checked_rounds sim/engine_sim_test $((2000 * 19)) "$wanted" \
        "requests to a simulated engine, each with its one right reply"
}
