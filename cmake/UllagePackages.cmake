# The libraries that rooms name under PACKAGES, in the form that the link mode asks for. The targets are
# called alike in each mode, so that no room knows of it.
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost 1.74 REQUIRED)

if(ULLAGE_LINK STREQUAL "shared")
  find_package(fmt REQUIRED)
  find_package(yaml-cpp REQUIRED)
else()
  # Debian has no libfmt.a; fmt_static.cpp makes one. Its package of yaml-cpp describes the shared
  # library only, although the archive is installed too.
  find_path(ULLAGE_FMT_INCLUDE fmt/format-inl.h REQUIRED)
  add_library(ullage_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt_static.cpp)
  target_include_directories(ullage_fmt SYSTEM PUBLIC ${ULLAGE_FMT_INCLUDE})
  add_library(fmt::fmt ALIAS ullage_fmt)

  find_path(ULLAGE_YAML_INCLUDE yaml-cpp/yaml.h REQUIRED)
  find_library(ULLAGE_YAML_ARCHIVE NAMES libyaml-cpp.a REQUIRED)
  add_library(yaml-cpp STATIC IMPORTED)
  set_target_properties(
    yaml-cpp PROPERTIES IMPORTED_LOCATION ${ULLAGE_YAML_ARCHIVE} INTERFACE_INCLUDE_DIRECTORIES ${ULLAGE_YAML_INCLUDE})
endif()

# What unpacks the inputs of batches. Debian describes libzstd to pkg-config only.
if(NOT ULLAGE_LINK STREQUAL "shared")
  set(ZLIB_USE_STATIC_LIBS ON)
  find_library(ZLIB_LIBRARY NAMES libz.a REQUIRED)
  find_library(ULLAGE_ZSTD NAMES libzstd.a REQUIRED)
else()
  find_library(ULLAGE_ZSTD NAMES zstd REQUIRED)
endif()
find_package(ZLIB REQUIRED)
find_path(ULLAGE_ZSTD_INCLUDE zstd.h REQUIRED)
add_library(ullage_zstd UNKNOWN IMPORTED)
set_target_properties(
  ullage_zstd PROPERTIES IMPORTED_LOCATION ${ULLAGE_ZSTD} INTERFACE_INCLUDE_DIRECTORIES ${ULLAGE_ZSTD_INCLUDE})
