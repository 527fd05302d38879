# A room is one static library under src/ that sees only the rooms named for it, so that an include in
# the wrong direction does not compile: each room's headers are reachable only through its own folder
# of forwarding links (build/rooms/<room>/<room> -> src/<room>).

add_library(ullage_warnings INTERFACE)
target_compile_options(
  ullage_warnings
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
            -Woverloaded-virtual -Wcast-align -Wformat=2)
# GCC warns about the library's own code where it comes from a precompiled header: then for reading only.
if(NOT (ULLAGE_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"))
  target_compile_options(ullage_warnings INTERFACE -Werror)
endif()
# GCC 12 at -O3 sees overlapping copies in std::string's operator+ and uninitialised members in temporaries
# that are returned (GCC bug 105651 and its kin); Clang and the sanitizers watch for the real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ullage_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
  # A precompiled header is no system header, so that more of them come through.
  if(ULLAGE_PRECOMPILE)
    target_compile_options(ullage_warnings INTERFACE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()

# What most files include; each of them still includes what it uses.
set(ullage_standard_headers
    <algorithm> <array> <cstdint> <deque> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
    <tuple> <utility> <variant> <vector>)
if(ULLAGE_PRECOMPILE)
  add_library(ullage_headers OBJECT ${CMAKE_CURRENT_LIST_DIR}/standard_headers.cpp)
  target_link_libraries(ullage_headers PRIVATE ullage_warnings)
  target_precompile_headers(ullage_headers PRIVATE ${ullage_standard_headers})
endif()

# ullage_room(<name> SOURCES <file>... [USES <room>...] [PACKAGES <target>...])
#   USES      rooms whose headers this room's headers or sources include (transitively visible)
#   PACKAGES  libraries used inside this room's .cpp files only
function(ullage_room name)
  cmake_parse_arguments(room "" "" "SOURCES;USES;PACKAGES" ${ARGN})
  set(view ${PROJECT_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${view}/${name} SYMBOLIC)
  add_library(ullage_${name} STATIC ${room_SOURCES})
  target_include_directories(ullage_${name} PUBLIC ${view})
  target_link_libraries(ullage_${name} PRIVATE ullage_warnings)
  if(ULLAGE_PRECOMPILE)
    target_precompile_headers(ullage_${name} REUSE_FROM ullage_headers)
  endif()
  foreach(used IN LISTS room_USES)
    target_link_libraries(ullage_${name} PUBLIC ullage_${used})
  endforeach()
  foreach(package IN LISTS room_PACKAGES)
    target_link_libraries(ullage_${name} PRIVATE ${package})
  endforeach()
endfunction()
