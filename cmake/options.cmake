# Compiler flags live in one INTERFACE target that every target of ours links.
add_library(mw_options INTERFACE)
target_include_directories(mw_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(mw_options INTERFACE JSON_USE_IMPLICIT_CONVERSIONS=0)
target_compile_options(mw_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False positives of GCC 12 in the library's own code once it optimises (GCC bugs 105651, 105593, 107852).
  target_compile_options(mw_options INTERFACE -Wno-restrict $<$<NOT:$<CONFIG:Debug>>:-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-array-bounds>)
endif()

if(MODELWATCH_SANITIZE)
  target_compile_options(mw_options INTERFACE -fsanitize=${MODELWATCH_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(mw_options INTERFACE -fsanitize=${MODELWATCH_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(mw_options INTERFACE -Wno-maybe-uninitialized)  # wrong about std::variant once instrumented
  endif()
  if(MODELWATCH_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(mw_options INTERFACE -Wno-tsan)  # atomic_thread_fence inside Asio
  endif()
endif()
if(MODELWATCH_FUZZ)
  target_compile_options(mw_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(MODELWATCH_COVERAGE)
  target_compile_options(mw_options INTERFACE --coverage)
  target_link_options(mw_options INTERFACE --coverage)
endif()
