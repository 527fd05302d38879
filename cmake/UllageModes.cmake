# How everything is built, apart from what is built: link mode, sanitizers, coverage, compiler cache.
# CMakePresets.json holds the combinations in use.

# Measured start-up of a program that uses iostream, fmt and yaml-cpp (Debian 12, median of 300):
#   shared 2.4 ms; libyaml-cpp.a alone 2.2 ms; lean 1.1 ms; static 0.9 ms. A static libstdc++ beside
#   the shared libfmt would load libstdc++.so all the same (2.7 ms) and put two of it into one process.
set(ULLAGE_LINK shared CACHE STRING "shared: system libraries; lean: all but libc in the file; static: all in the file")
set_property(CACHE ULLAGE_LINK PROPERTY STRINGS shared lean static)
set(ULLAGE_SANITIZE "" CACHE STRING "Sanitizers for every target, in the words of -fsanitize")
option(ULLAGE_COVERAGE "Instrument for source-based coverage (Clang only)" OFF)

if(NOT ULLAGE_LINK MATCHES "^(shared|lean|static)$")
  message(FATAL_ERROR "ULLAGE_LINK is '${ULLAGE_LINK}'; it is one of shared, lean, static")
endif()
if((ULLAGE_FUZZ OR ULLAGE_COVERAGE) AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "ULLAGE_FUZZ and ULLAGE_COVERAGE need Clang; use the presets fuzz and coverage")
endif()

# Unused parts of the archives are dropped: fewer pages and relocations at start-up.
if(ULLAGE_LINK STREQUAL "lean")
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections)
elseif(ULLAGE_LINK STREQUAL "static")
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-static -Wl,--gc-sections)
endif()

if(ULLAGE_SANITIZE)
  add_compile_options(-fsanitize=${ULLAGE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ULLAGE_SANITIZE})
endif()

if(ULLAGE_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# Two presets of one compiler share much; a launcher that the caller chose stays.
find_program(ULLAGE_CCACHE ccache)
if(ULLAGE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ULLAGE_CCACHE})
endif()

# Half of a small file's compilation is the standard library's headers: a fresh build takes them from one
# precompiled header. Not beside a compiler cache, whose hits it would spoil.
set(without_cache ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(without_cache OFF)
endif()
option(ULLAGE_PRECOMPILE "Precompile the standard library's headers" ${without_cache})
