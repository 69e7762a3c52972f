# What `cmake --install` brings: the package `outrider` (component engine: what a game server links;
# component client: the client library) and the programs (component programs).
include(CMakePackageConfigHelpers)

set(OUTRIDER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/outrider)

# install_libraries(COMPONENT engine TARGETS ...): those that exist, with their door headers.
function(install_libraries)
    cmake_parse_arguments(PARSE_ARGV 0 ARG "" "COMPONENT" "TARGETS")
    foreach(target IN LISTS ARG_TARGETS)
        if(NOT TARGET ${target})
            continue()
        endif()
        get_target_property(header_sets ${target} INTERFACE_HEADER_SETS)
        set(headers)
        if(header_sets)
            # The doors lie in server/<room>/ and are included as outrider/<room>/.
            set(headers FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/outrider
                        COMPONENT ${ARG_COMPONENT})
        endif()
        install(TARGETS ${target} EXPORT outrider_${ARG_COMPONENT}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${ARG_COMPONENT}
            ${headers})
    endforeach()
    install(EXPORT outrider_${ARG_COMPONENT}
        FILE outrider-${ARG_COMPONENT}.cmake
        NAMESPACE outrider::
        DESTINATION ${OUTRIDER_PACKAGE_DIR}
        COMPONENT ${ARG_COMPONENT})
endfunction()

install_libraries(COMPONENT engine TARGETS
    outrider_base outrider_model outrider_map outrider_search outrider_cache outrider_engine)
if(TARGET outrider_client)
    install_libraries(COMPONENT client TARGETS
        outrider_client outrider_codec outrider_wire outrider_proto)
endif()

configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/outrider-config.cmake.in
    ${PROJECT_BINARY_DIR}/outrider-config.cmake
    INSTALL_DESTINATION ${OUTRIDER_PACKAGE_DIR})
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/outrider-config-version.cmake
    # Before 1.0 every minor release may change the doors.
    COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/outrider-config.cmake
    ${PROJECT_BINARY_DIR}/outrider-config-version.cmake
    DESTINATION ${OUTRIDER_PACKAGE_DIR}
    COMPONENT engine)

# The programs stand together in bin/ of the build tree too, where scripts find them.
add_custom_target(outrider_programs)
foreach(program IN ITEMS outrider-server outrider_cli)
    if(TARGET ${program})
        set_target_properties(${program} PROPERTIES
            RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
        install(TARGETS ${program} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
        add_dependencies(outrider_programs ${program})
    endif()
endforeach()
