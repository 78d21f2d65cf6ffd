# `cmake --install`: the static library, its headers and a package for find_package(phasor CONFIG). Eigen is compiled in, so the package
# asks for the threads of the system alone.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/phasor")
install(TARGETS phasor EXPORT phasor ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY cpp/include/phasor DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(FILES "${generated}/include/phasor/version.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/phasor")
# The archive contains code of Eigen, whose licence has to be passed on with it.
install(FILES LICENSE cmake/third-party.txt web/package/licenses/MPL-2.0.txt DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/phasor")
install(EXPORT phasor FILE phasor-targets.cmake NAMESPACE phasor:: DESTINATION "${package_folder}")
set(package_config "include(CMakeFindDependencyMacro)\n")
if(NOT EMSCRIPTEN)
  string(APPEND package_config "find_dependency(Threads)\n")
endif()
string(APPEND package_config "include(\"\${CMAKE_CURRENT_LIST_DIR}/phasor-targets.cmake\")\n")
file(CONFIGURE OUTPUT "${generated}/phasor-config.cmake" CONTENT "${package_config}" @ONLY)
install(FILES "${generated}/phasor-config.cmake" DESTINATION "${package_folder}")

# Before 1.0 every minor version may change what callers see.
write_basic_package_version_file("${generated}/phasor-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${generated}/phasor-config-version.cmake" DESTINATION "${package_folder}")
