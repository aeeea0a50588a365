// Who may see what, and what the others are told (hub-api.md §9).
#include <gtest/gtest.h>

#include "tests/hub/git/safetensors.h"
#include "tests/hub/test_hub.h"
#include "tests/hub/tests/fetch.h"

namespace modelwatch::testhub {
namespace {

struct Case {
  const char* target;
  const char* token;
  int status;
  const char* code = "";
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.target << " with '" << c.token << "'";
}

class Access : public ::testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() {
    hub_ = std::make_unique<TestHub>();
    TestHub& hub = *hub_;
    for (const char* name : {"owner", "asked", "refused", "granted", "stranger"})
      hub->add_user({name, std::string("hf_") + name});
    hub->add_user({"colleague", "hf_colleague", Plan::team, {"owner"}});
    const Files files = {{"README.md", "# a\n"},
                         {"config.json", "{}"},
                         {"sub/README.md", "# b\n"},
                         {"m.safetensors", safetensors_file({})}};
    hub->create("owner/open", {.files = files});
    hub->create("owner/private", {.files = files, .is_private = true});
    hub->create("owner/gated", {.files = files, .gate = Gate::manual});
    hub->create("owner/gone", {.files = files});
    hub->remove("owner/gone");
    hub->create("owner/disabled", {.files = files});
    hub->repository("owner/disabled").disabled = true;
    hub->create("owner/before", {.files = files});
    hub->rename("owner/before", "owner/after");
    hub->set_access("owner/gated", "asked", testhub::Access::pending);
    hub->set_access("owner/gated", "refused", testhub::Access::rejected);
    hub->set_access("owner/gated", "granted", testhub::Access::granted);
    hub->set_access("owner/private", "granted", testhub::Access::granted);
  }
  static void TearDownTestSuite() { hub_.reset(); }

  static std::unique_ptr<TestHub> hub_;
};
std::unique_ptr<TestHub> Access::hub_;

TEST_P(Access, IsAnsweredAsTheHubDoes) {
  const Case& c = GetParam();
  FetchOptions options;
  if (*c.token) options.headers.push_back(std::string("authorization: Bearer ") + c.token);
  const Fetched get = fetch(hub_->url() + c.target, options);
  EXPECT_EQ(get.status, c.status) << get.body;
  EXPECT_EQ(get.headers.value("x-error-code"), c.code);
  EXPECT_EQ(get.headers.has("www-authenticate"), c.status == 401);
  options.method = "HEAD";
  const Fetched head = fetch(hub_->url() + c.target, options);
  EXPECT_EQ(head.status, c.status);
  EXPECT_EQ(head.body, "");
  for (const char* name : {"content-length", "content-type", "etag", "x-repo-commit", "x-error-code"})
    EXPECT_EQ(head.headers.value(name), get.headers.value(name)) << name;
}

INSTANTIATE_TEST_SUITE_P(
    Table, Access,
    ::testing::Values(
        // public
        Case{"/api/models/owner/open", "", 200}, Case{"/api/models/owner/open", "hf_wrong", 401},
        Case{"/owner/open/resolve/main/config.json", "", 307},
        Case{"/owner/open/raw/main/m.safetensors", "", 200}, Case{"/owner/open", "", 200},
        Case{"/api/models/owner/open/auth-check", "", 200},
        // letter case, rename
        Case{"/api/models/Owner/OPEN/commits/main?limit=1", "", 307},
        Case{"/owner/before/resolve/main/config.json", "", 307},
        // missing, deleted, private: strangers are not told which
        Case{"/api/models/owner/nothing", "", 401},
        Case{"/api/models/owner/nothing", "hf_stranger", 404, "RepoNotFound"},
        Case{"/api/models/owner/gone", "", 401},
        Case{"/owner/gone/resolve/main/config.json", "hf_stranger", 404, "RepoNotFound"},
        Case{"/api/models/owner/private", "", 401},
        Case{"/api/models/owner/private", "hf_stranger", 404, "RepoNotFound"},
        Case{"/api/models/owner/private", "hf_owner", 200},
        Case{"/api/models/owner/private", "hf_colleague", 200},
        Case{"/owner/private/resolve/main/config.json", "hf_granted", 200},
        // revisions and files
        Case{"/api/models/owner/open/revision/nope", "", 404, "RevisionNotFound"},
        Case{"/api/models/owner/open/commits/nope", "", 404, "RevisionNotFound"},
        Case{"/owner/open/resolve/nope/config.json", "", 404, "RevisionNotFound"},
        Case{"/owner/open/resolve/main/nope", "", 404, "EntryNotFound"},
        Case{"/api/models/owner/open/tree/main/nope", "", 404, "EntryNotFound"},
        Case{"/api/models/owner/open/tree/main/config.json", "", 404, "EntryNotFound"},
        Case{"/api/resolve-cache/models/owner/open/main/config.json", "", 400},
        Case{"/api/resolve-cache/models/owner/open/1111111111111111111111111111111111111111/config.json", "",
             404, "RevisionNotFound"},
        // gated
        Case{"/api/models/owner/gated", "", 200}, Case{"/api/models/owner/gated/tree/main", "", 200},
        Case{"/api/models/owner/gated/refs", "", 200},
        Case{"/api/models/owner/gated/commits/main", "", 401, "GatedRepo"},
        Case{"/api/models/owner/gated/auth-check", "", 401, "GatedRepo"},
        Case{"/owner/gated/resolve/main/config.json", "", 401, "GatedRepo"},
        Case{"/owner/gated/resolve/main/.gitattributes", "", 401, "GatedRepo"},
        Case{"/owner/gated/resolve/nope/nope", "", 401,
             "GatedRepo"},  // the gate stands before revision and file
        Case{"/owner/gated/resolve/main/README.md", "", 200},
        Case{"/owner/gated/resolve/main/sub/README.md", "", 401, "GatedRepo"},
        Case{"/owner/gated/resolve/main/readme.md", "", 401, "GatedRepo"},
        Case{"/owner/gated/raw/main/README.md", "", 401, "GatedRepo"},
        Case{"/owner/gated/resolve/main/LICENSE", "", 404, "EntryNotFound"},
        Case{"/owner/gated/resolve/main/config.json", "hf_stranger", 403, "GatedRepo"},
        Case{"/owner/gated/resolve/main/config.json", "hf_asked", 403, "GatedRepo"},
        Case{"/owner/gated/resolve/main/config.json", "hf_refused", 403, "GatedRepo"},
        Case{"/owner/gated/resolve/main/config.json", "hf_granted", 200},
        Case{"/owner/gated/resolve/main/m.safetensors", "hf_granted", 302},
        Case{"/api/models/owner/gated/commits/main", "hf_granted", 200},
        // disabled
        Case{"/api/models/owner/disabled", "", 200},
        Case{"/owner/disabled/resolve/main/config.json", "", 403},
        Case{"/api/models/owner/disabled/tree/main", "", 403},
        // no such route
        Case{"/api/models/owner/open/nonsense", "", 404}, Case{"/api/nonsense", "", 404},
        Case{"/a/b/c/d", "", 404}));

}  // namespace
}  // namespace modelwatch::testhub
