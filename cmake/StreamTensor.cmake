# Build rules shared by every library of the project.
#
# streamtensor_add_library(NAME SOURCES... [DEPENDS targets] [LINK targets])
#   A static library compiled with the project's precompiled header (the MLIR
#   headers that almost every file needs), linked against MLIR's archives.

# Tools hold what they use of MLIR and LLVM: they start in a fifth of the time that libMLIR.so and
# libLLVM.so take to find their symbols, and tests start tools many thousand times. Archives by
# their files, because MLIR's targets ask for libLLVM.so.
add_library(streamtensor_mlir INTERFACE)
get_property(mlir_libraries GLOBAL PROPERTY MLIR_ALL_LIBS)
foreach(library IN LISTS mlir_libraries LLVM_AVAILABLE_LIBS)
  if(TARGET ${library} AND library MATCHES "^(MLIR|LLVM)" AND NOT library MATCHES "CAPI|Test")
    get_target_property(kind ${library} TYPE)
    if(kind STREQUAL STATIC_LIBRARY)
      list(APPEND archives $<TARGET_FILE:${library}>)
    endif()
  endif()
endforeach()
target_link_libraries(streamtensor_mlir INTERFACE
  -Wl,--start-group ${archives} -Wl,--end-group ZLIB::ZLIB zstd::libzstd_shared tinfo)
target_link_options(streamtensor_mlir INTERFACE -no-pie -Wl,--as-needed -Wl,--gc-sections)

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
  target_link_libraries(${name} PUBLIC ${ARG_LINK} streamtensor_mlir)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

function(streamtensor_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_precompile_headers(${name} REUSE_FROM streamtensor_pch)
  target_compile_options(${name} PRIVATE ${STREAMTENSOR_PCH_FLAGS} ${STREAMTENSOR_WARNINGS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} streamtensor_mlir)
endfunction()
