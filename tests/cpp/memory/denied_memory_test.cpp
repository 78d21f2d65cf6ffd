// Every allocation that a function requests fails once, and the function returns an out-of-memory
// error.

#include <gtest/gtest.h>

#include "core/buffer.h"
#include "every_call.h"

namespace phasor::test {
namespace {

TEST(DeniedMemory, IsReportedByEveryFunction) {
  int denied_count = 0;
  for (const EveryCall& every : every_call(20)) {
    std::string expected_message;
    {
      const MemoryWatch watch;
      expected_message = every.prepare()().message();
    }
    for (int n = 1;; ++n) {
      const std::function<Status()> call = every.prepare();
      const MemoryWatch watch(n);
      const Status status = call();
      if (!watch.has_failed()) {
        EXPECT_EQ(status.message(), expected_message) << every.name;
        break;
      }
      ++denied_count;
      EXPECT_EQ(status.code(), StatusCode::resource_exhausted)
          << every.name << ", question " << n << ": " << status.message();
      EXPECT_NE(status.message().find(": "), std::string::npos) << every.name;
      EXPECT_NE(status.message().find(" MiB"), std::string::npos)
          << every.name << ": " << status.message();
    }
  }
  EXPECT_GT(denied_count, 3000);
}

}  // namespace
}  // namespace phasor::test
