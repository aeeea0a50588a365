include(GoogleTest)
find_package(GTest REQUIRED)

# mw_test(name SOURCES file… LIBRARIES target… [LABELS label…]): one GoogleTest program, one ctest entry per test.
function(mw_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE mw_options ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE MODELWATCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
                       PROPERTIES TIMEOUT 300 LABELS "unit;${arg_LABELS}")
endfunction()
