#include "advisories/manifest/digest.h"

#include <gtest/gtest.h>

namespace modelwatch::advisories {
namespace {

TEST(Digest, KnownVectors) {
  EXPECT_EQ(sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(git_blob_oid("hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");  // git hash-object
}

TEST(Digest, PiecesAreTheWhole) {
  Hasher hasher(Hasher::Algorithm::sha256);
  hasher.update("a");
  hasher.update("bc");
  EXPECT_EQ(hasher.finish(), sha256("abc"));
}

}  // namespace
}  // namespace modelwatch::advisories
