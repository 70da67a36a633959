# Build rules shared by every library of the project.
#
# streamtensor_add_library(NAME SOURCES... [DEPENDS targets] [LINK targets])
#   A static library compiled with the project's precompiled header (the MLIR
#   headers that almost every file needs), linked against libMLIR.so.

add_library(streamtensor_pch OBJECT ${CMAKE_SOURCE_DIR}/cmake/pch.cpp)
target_precompile_headers(streamtensor_pch PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
set(STREAMTENSOR_WARNINGS -Wall -Wextra -Wno-unused-parameter -Wno-deprecated-declarations)
set(STREAMTENSOR_PCH_FLAGS -fpch-instantiate-templates "SHELL:-Xclang -fno-pch-timestamp")
target_compile_options(streamtensor_pch PRIVATE ${STREAMTENSOR_PCH_FLAGS} ${STREAMTENSOR_WARNINGS})

function(streamtensor_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM streamtensor_pch)
  target_compile_options(${name} PRIVATE ${STREAMTENSOR_PCH_FLAGS} ${STREAMTENSOR_WARNINGS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

function(streamtensor_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM streamtensor_pch)
  target_compile_options(${name} PRIVATE ${STREAMTENSOR_PCH_FLAGS} ${STREAMTENSOR_WARNINGS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} MLIR LLVM)
endfunction()
