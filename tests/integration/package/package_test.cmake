# Installs the engine into an empty prefix, builds a game server against it as a stranger would, and
# runs that. If this failed, `find_package(outrider)` would not serve a game server.
# Needs: BUILD_DIR, SOURCE_DIR (of the consumer), WORK_DIR, WITH_CLIENT, CXX_COMPILER, CXX_FLAGS,
# LAUNCHER.
cmake_minimum_required(VERSION 3.25)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ARGN}\nended with ${status}:\n${out}")
    endif()
    set(run_output "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix} --component engine)
if(WITH_CLIENT)
    run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix} --component client)
endif()

# A symbolic link or a path of the build tree in the package would break on the next machine.
file(GLOB_RECURSE installed LIST_DIRECTORIES true ${prefix}/*)
foreach(path IN LISTS installed)
    if(IS_SYMLINK ${path})
        message(FATAL_ERROR "${path} is a symbolic link")
    endif()
    if(path MATCHES "\\.cmake$")
        file(READ ${path} text)
        string(FIND "${text}" "${BUILD_DIR}" found)
        if(NOT found EQUAL -1)
            message(FATAL_ERROR "${path} names the build tree")
        endif()
    endif()
endforeach()

run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    -DCMAKE_CXX_FLAGS=${CXX_FLAGS}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build)
run(${WORK_DIR}/build/my_game_server)
# Around the wall: two diagonal steps and four straight ones, and never from (1,1) past its corner.
if(NOT run_output MATCHES "^\\(0,0\\) .*\\(4,0\\) length 6\\.828\n$")
    message(FATAL_ERROR "the game server said: ${run_output}")
endif()

if(NOT WITH_CLIENT)
    return()
endif()
# Nobody listens on port 1.
execute_process(COMMAND ${WORK_DIR}/build/order 1 RESULT_VARIABLE status ERROR_VARIABLE message)
if(NOT status EQUAL 1 OR message STREQUAL "")
    message(FATAL_ERROR "the client ended with ${status} and said: ${message}")
endif()
