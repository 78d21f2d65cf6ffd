// Every function requests large allocations first. An allocation that fails without a request ends
// the program, and in WebAssembly the instance with all its handles.

#include <gtest/gtest.h>

#include <algorithm>

#include "allocations.h"
#include "core/buffer.h"
#include "every_call.h"

namespace phasor::test {
namespace {

// Smaller requests are always granted, as in can_allocate. The threshold is lower here, so that
// short texts suffice.
constexpr std::size_t kSmall = 8192;

// A granted request covers the existing blocks and the request together.
class MemoryRecorder : public MemoryWatch {
 public:
  MemoryRecorder() { Allocations::watch_large(kSmall); }

  bool allows(double bytes) override {
    last_bytes_ = std::max(last_bytes_, Allocations::large_bytes() + bytes);
    Allocations::allow_bytes(last_bytes_);
    return true;
  }

 private:
  double last_bytes_ = 0;
};

TEST(GrantedMemory, CoversAllAllocationsOfEveryFunction) {
  int compared = 0;
  for (const int tokens : {100, 300}) {  // fewer and more than in a tile
    for (const EveryCall& every : every_call(tokens)) {
      const std::function<Status()> call = every.prepare();
      const MemoryRecorder recorder;
      const Status status = call();
      EXPECT_EQ(Allocations::excess_bytes(), 0)
          << every.name << " of " << tokens << " tokens: bytes beyond what was granted "
          << status.message();
      EXPECT_TRUE(status.ok() || !every.is_answered) << every.name << ": " << status.message();
      if (status.ok()) ++compared;
    }
  }
  EXPECT_GT(compared, 800);
}

TEST(GrantedMemory, DetectsAllocationsWithoutARequest) {
  MemoryRecorder recorder;
  const std::vector<char> small_block(kSmall - 1);
  EXPECT_EQ(Allocations::excess_bytes(), 0);
  ASSERT_TRUE(can_allocate(2 * kSmall));
  for (int repeat = 0; repeat < 3; ++repeat) {
    const std::vector<char> large_block(2 * kSmall);
    EXPECT_EQ(Allocations::excess_bytes(), 0);
  }
  const std::vector<char> large_block(kSmall), more(kSmall + 7);
  EXPECT_EQ(Allocations::excess_bytes(), 7);
  ASSERT_TRUE(can_allocate(kSmall));  // in addition to the existing blocks
  const std::vector<char> second_block(kSmall);
  EXPECT_EQ(Allocations::excess_bytes(), 7);
}

}  // namespace
}  // namespace phasor::test
