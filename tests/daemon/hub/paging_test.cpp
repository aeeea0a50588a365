#include "daemon/hub/paging.h"

#include <gtest/gtest.h>

namespace modelwatch::hub {
namespace {

std::string next(std::vector<std::string> links) {
  Response response;
  for (std::string& link : links) response.headers.emplace_back("link", std::move(link));
  return next_page(response).value_or("none");
}

TEST(Paging, TheNextPageByteForByte) {
  EXPECT_EQ(next({"<https://huggingface.co/api/x?p=1&cursor=ZXlK%3D%3D>; rel=\"next\""}), "https://huggingface.co/api/x?p=1&cursor=ZXlK%3D%3D");
  EXPECT_EQ(next({"<a>; rel=\"prev\", <b,c>; rel=\"next\""}), "b,c");
  EXPECT_EQ(next({"<a>; rel=\"xet-auth\"", "</b>; title=\"x\"; rel=next"}), "/b");
  EXPECT_EQ(next({}), "none");
  for (const char* broken : {"", "<a", "a; rel=\"next\"", "<a>", "<a>; rel=\"nextest\"", "<a>; rel=", "><; rel=\"next\""})
    EXPECT_EQ(next({broken}), "none") << broken;
}

TEST(Paging, TotalCount) {
  Response response;
  EXPECT_FALSE(total_count(response));
  response.headers = {{"x-total-count", "26"}};
  EXPECT_EQ(total_count(response), 26U);
  response.headers = {{"x-total-count", "many"}};
  EXPECT_FALSE(total_count(response));
}

}  // namespace
}  // namespace modelwatch::hub
