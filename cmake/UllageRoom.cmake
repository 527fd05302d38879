# A room is one static library under src/ that sees only the rooms named for it, so that an include in
# the wrong direction does not compile: each room's headers are reachable only through its own folder
# of forwarding links (build/rooms/<room>/<room> -> src/<room>).

add_library(ullage_warnings INTERFACE)
target_compile_options(
  ullage_warnings
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
            -Woverloaded-virtual -Wcast-align -Wformat=2 -Werror)
# GCC 12 at -O3 sees overlapping copies in std::string's operator+ and uninitialised members in temporaries
# that are returned (GCC bug 105651 and its kin); Clang and the sanitizers watch for the real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ullage_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
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
  foreach(used IN LISTS room_USES)
    target_link_libraries(ullage_${name} PUBLIC ullage_${used})
  endforeach()
  foreach(package IN LISTS room_PACKAGES)
    target_link_libraries(ullage_${name} PRIVATE ${package})
  endforeach()
endfunction()
