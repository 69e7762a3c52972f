# The house rules for every target: C++23, warnings, includes as "outrider/<room>/<file>".

# Headers are included as outrider/map/store.hpp from the tree and from an installed package alike.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/server ${PROJECT_BINARY_DIR}/include/outrider SYMBOLIC)

# On in CI and in the presets debug, asan, tsan, clang and fuzz; off where a stranger builds with a
# compiler whose warnings we have not seen.
option(OUTRIDER_WERROR "Treat the warnings of our own code as errors" OFF)
set(OUTRIDER_SANITIZE "" CACHE STRING "Sanitizers for every target: address,undefined or thread")

function(outrider_house_rules target)
    target_compile_features(${target} PUBLIC cxx_std_23)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow
        $<$<BOOL:${OUTRIDER_WERROR}>:-Werror>
        # GCC 12 sees overlapping copies in `"text" + std::string` at -O3 (GCC bug 105651).
        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
        $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
        # GCC 12's std::stable_sort itself calls what C++17 deprecated.
        $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
    if(OUTRIDER_SANITIZE)
        target_compile_options(${target} PRIVATE
            -fsanitize=${OUTRIDER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
            # GCC 12 loses sight of std::expected's active member among the sanitizers' checks.
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
        if(OUTRIDER_SANITIZE STREQUAL "thread")
            # GCC warns of the fences inside Asio, which its thread sanitizer does not model.
            target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
        endif()
        target_link_options(${target} PUBLIC -fsanitize=${OUTRIDER_SANITIZE})
    endif()
    if(OUTRIDER_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
endfunction()

# outrider_room(NAME SOURCES a.cpp HEADERS a.hpp LINKS outrider::base)
# A room of the server: library outrider_<NAME>, alias outrider::<NAME>. HEADERS are its doors and
# are installed; headers that only the room itself reads go with SOURCES.
function(outrider_room name)
    cmake_parse_arguments(PARSE_ARGV 1 ROOM "" "" "SOURCES;HEADERS;LINKS;PRIVATE_LINKS")
    add_library(outrider_${name} STATIC ${ROOM_SOURCES})
    add_library(outrider::${name} ALIAS outrider_${name})
    outrider_house_rules(outrider_${name})
    set_target_properties(outrider_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
    target_sources(outrider_${name} PUBLIC FILE_SET HEADERS
        BASE_DIRS ${PROJECT_SOURCE_DIR}/server
        FILES ${ROOM_HEADERS})
    target_include_directories(outrider_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(outrider_${name} PUBLIC ${ROOM_LINKS} PRIVATE ${ROOM_PRIVATE_LINKS})
endfunction()

# outrider_test(NAME LABEL unit SOURCES a.cpp LINKS outrider::map [TIMEOUT 120])
# A GoogleTest program; each of its tests becomes a ctest test with the label.
function(outrider_test name)
    cmake_parse_arguments(PARSE_ARGV 1 TEST "" "LABEL;TIMEOUT" "SOURCES;LINKS")
    if(NOT TEST_TIMEOUT)
        set(TEST_TIMEOUT 120)
    endif()
    add_executable(${name} ${TEST_SOURCES})
    outrider_house_rules(${name})
    target_compile_definitions(${name} PRIVATE OUTRIDER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE
        ${TEST_LINKS} outrider_test_support GTest::gmock GTest::gtest_main)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
        PROPERTIES LABELS ${TEST_LABEL} TIMEOUT ${TEST_TIMEOUT})
endfunction()

# outrider_fuzz(frame_fuzz SOURCES frame_fuzz.cpp LINKS outrider::wire)
# A libFuzzer program, built with OUTRIDER_FUZZ only; `./dev.sh fuzz frame_fuzz 60` runs it. Seeds
# lie in tests/fuzz/corpus/<name without _fuzz>/.
function(outrider_fuzz name)
    cmake_parse_arguments(PARSE_ARGV 1 FUZZ "" "" "SOURCES;LINKS")
    if(NOT OUTRIDER_FUZZ)
        return()
    endif()
    add_executable(${name} ${FUZZ_SOURCES})
    outrider_house_rules(${name})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name} PRIVATE ${FUZZ_LINKS})
endfunction()

# outrider_bench(search_bench SOURCES search_bench.cpp LINKS outrider::search)
# A Google Benchmark program, built with OUTRIDER_BENCH only; `./dev.sh bench search` runs it.
function(outrider_bench name)
    cmake_parse_arguments(PARSE_ARGV 1 BENCH "" "" "SOURCES;LINKS")
    if(NOT OUTRIDER_BENCH)
        return()
    endif()
    find_package(benchmark REQUIRED)
    add_executable(${name} ${BENCH_SOURCES})
    outrider_house_rules(${name})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    target_compile_definitions(${name} PRIVATE OUTRIDER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name} PRIVATE ${BENCH_LINKS} benchmark::benchmark)
endfunction()
