#include "phasor/status.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace {

using phasor::Code;
using phasor::Status;

// Longer than what a string keeps within itself, so that the sanitizer sees whether it is let go.
const std::string kSentence = "length: 0 is outside 1 to 65536, which is a sentence with memory of its own";

TEST(Status, FailureKeepsItsSentenceWhenCopied) {
  const Status failure = Status::invalid(kSentence);
  const Status copy = failure;
  EXPECT_EQ(copy.code, Code::invalid_argument);
  EXPECT_EQ(copy.message, kSentence);
  EXPECT_EQ(failure.message, kSentence);
}

TEST(Status, FailureMovesItsSentence) {
  Status failure = Status::unknown(kSentence);
  const Status moved = std::move(failure);
  EXPECT_EQ(moved.code, Code::unknown_name);
  EXPECT_EQ(moved.message, kSentence);
}

TEST(Status, SuccessAssignedOverAFailureHasNoSentence) {
  Status status = Status::exhausted(kSentence);
  status = Status();
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.message, "");
  const Status success;
  status = Status::exhausted(kSentence);
  status = success;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.message.capacity(), std::string().capacity()) << "memory that the destructor of a success does not look for";
}

TEST(Status, FailureAssignedOverASuccessAndOverItself) {
  Status status;
  status = Status::invalid(kSentence);
  const Status& same = status;
  status = same;
  EXPECT_EQ(status.code, Code::invalid_argument);
  EXPECT_EQ(status.message, kSentence);
}

}  // namespace
