# cmake -DOUT=file.cpp -P embed_migrations.cmake DIR/NNNN_*.sql… : the files as C++ literals, in order of their numbers.
set(rows "")
set(first 0)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  set(file "${CMAKE_ARGV${i}}")
  if(NOT file MATCHES "/([0-9]+)_[^/]*\\.sql$")
    continue()
  endif()
  string(REGEX REPLACE "^0+" "" version "${CMAKE_MATCH_1}")
  file(READ "${file}" sql)
  string(APPEND rows "    {${version}, R\"sql(${sql})sql\"},\n")
endforeach()
file(WRITE "${OUT}" "#include \"storage/migrations.h\"

namespace modelwatch::storage {

std::span<const Migration> migrations() {
  static constexpr Migration all[] = {
${rows}  };
  return all;
}

}  // namespace modelwatch::storage
")
