# Runs COMPILER over SOURCE with the folders INCLUDES (separated by `|`) and requires OUTCOME:
# `compiles`, or `refused` with a reason that matches the file's own `// refused:` line.
string(REPLACE "|" ";" folders "${INCLUDES}")
list(REMOVE_DUPLICATES folders)
list(TRANSFORM folders PREPEND -I)
set(ENV{LC_ALL} C) # the compiler's own words, not a translation of them
execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Werror=unused-result ${folders} ${SOURCE}
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output)

if(OUTCOME STREQUAL "compiles")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} should compile:\n${output}")
  endif()
  return()
endif()

file(STRINGS ${SOURCE} reasons REGEX "^// refused: ")
list(LENGTH reasons count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${SOURCE} needs exactly one line `// refused: <regular expression>`")
endif()
string(REPLACE "// refused: " "" reason "${reasons}")
if(NOT status EQUAL 1)
  message(FATAL_ERROR "${SOURCE} should be refused; the compiler's status is ${status}:\n${output}")
endif()
string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
if(NOT "${errors}" MATCHES "${reason}")
  message(FATAL_ERROR "${SOURCE} is refused, but not because of `${reason}`:\n${output}")
endif()
