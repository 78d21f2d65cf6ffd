// No function allocates much without a request before: an allocation that fails without one ends
// the program, and a WebAssembly instance with all its handles.

#include <gtest/gtest.h>

#include <algorithm>

#include "allocations.h"
#include "core/buffer.h"
#include "every_call.h"

namespace phasor::test {
namespace {

// Smaller requests are always granted, as in can_allocate; the threshold is lower here, so that
// texts may be short.
constexpr std::size_t kSmall = 8192;

// A granted request means that there is memory for the existing blocks and the request together.
class Room : public MemoryWatch {
 public:
  Room() { Allocations::watch_large(kSmall); }

  bool allows(double bytes) override {
    shown_ = std::max(shown_, Allocations::large() + bytes);
    Allocations::allow(shown_);
    return true;
  }

 private:
  double shown_ = 0;
};

TEST(GrantedMemory, CoversAllAllocationsOfEveryFunction) {
  int compared = 0;
  for (const int tokens : {100, 300}) {  // fewer than a tile has, and more
    for (const EveryCall& every : every_call(tokens)) {
      const std::function<Status()> call = every.prepare();
      const Room room;
      const Status status = call();
      EXPECT_EQ(Allocations::beyond(), 0)
          << every.name << " of " << tokens << " tokens: bytes beyond what was granted "
          << status.message();
      EXPECT_TRUE(status.ok() || !every.is_answered) << every.name << ": " << status.message();
      if (status.ok()) ++compared;
    }
  }
  EXPECT_GT(compared, 800);
}

// The measurement itself.
TEST(GrantedMemory, DetectsAllocationsWithoutARequest) {
  Room room;
  const std::vector<char> little(kSmall - 1);
  EXPECT_EQ(Allocations::beyond(), 0);
  ASSERT_TRUE(can_allocate(2 * kSmall));
  for (int again = 0; again < 3; ++again) {
    const std::vector<char> granted(2 * kSmall);
    EXPECT_EQ(Allocations::beyond(), 0);
  }
  const std::vector<char> granted(kSmall), more(kSmall + 7);
  EXPECT_EQ(Allocations::beyond(), 7);
  ASSERT_TRUE(can_allocate(kSmall));  // beside those
  const std::vector<char> again(kSmall);
  EXPECT_EQ(Allocations::beyond(), 7);
}

}  // namespace
}  // namespace phasor::test
