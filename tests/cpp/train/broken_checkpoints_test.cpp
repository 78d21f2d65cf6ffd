// Truncated and corrupted checkpoints, and loads that run out of memory: each is loaded, or
// rejected with an error message and without changing the trainer.

#include <gtest/gtest.h>

#include <string>

#include "broken_files.h"
#include "core/buffer.h"
#include "phasor/safetensors.h"
#include "train/small_specs.h"

namespace phasor {
namespace {

using test::Bytes;
using test::small_trainer;
using test::value_of;

std::unique_ptr<Trainer> tiny_trainer() {
  return small_trainer(
      {.id = "transformer_xl"},
      {{"layers", 1}, {"heads", 1}, {"embed_dim", 2}, {"dim_feedforward", 1}, {"batch_size", 1}});
}

TEST(BrokenCheckpoint, IsRejectedWithoutChangesIfTruncated) {
  const auto trainer = tiny_trainer();
  const Bytes before = value_of(trainer->save_checkpoint());
  value_of(trainer->step(2));
  const Bytes file = value_of(trainer->save_checkpoint());
  ASSERT_TRUE(trainer->load_checkpoint(before).ok());
  test::for_each_prefix(file, [&](const Bytes& cut) {
    const Status status = trainer->load_checkpoint(cut);
    ASSERT_FALSE(status.ok()) << cut.size() << " bytes";
    EXPECT_GT(status.message().size(), 20u);
  });
  EXPECT_EQ(value_of(trainer->save_checkpoint()), before);
}

// Changed values may still be valid; then the trainer has the state of the file.
TEST(BrokenCheckpoint, IsLoadedOrRejectedIfCorrupted) {
  const auto trainer = tiny_trainer();
  const Bytes before = value_of(trainer->save_checkpoint());
  value_of(trainer->step(2));
  const Bytes file = value_of(trainer->save_checkpoint());
  int read = 0, rejected = 0;
  const auto expect_rejected = [&](const Bytes& changed) {
    ASSERT_TRUE(trainer->load_checkpoint(before).ok());
    const Status status = trainer->load_checkpoint(changed);
    const Bytes after = value_of(trainer->save_checkpoint());
    if (status.ok()) {
      ++read;
      EXPECT_GE(trainer->global_step(), 0);
      // A header with another order or spacing is valid too, so only the data sizes must agree.
      EXPECT_EQ(after.size() - test::header_end(after), file.size() - test::header_end(file));
      (void)trainer->step(1);  // may be rejected, since the values are arbitrary
    } else {
      ++rejected;
      EXPECT_GT(status.message().size(), 20u);
      EXPECT_EQ(after, before);
    }
  };
  const std::size_t header = test::header_end(file);
  test::for_each_corruption(file, 0, header, 600, expect_rejected);
  test::for_each_corruption(file, header, file.size(), 150, expect_rejected);
  EXPECT_GT(read, 10);
  EXPECT_GT(rejected, 500);
}

TEST(BrokenCheckpoint, IsRejectedIfTheStepIsInvalid) {
  const auto trainer = tiny_trainer();
  SafetensorsFile file = value_of(read_safetensors(value_of(trainer->save_checkpoint())));
  for (const char* step : {"-1", "1.5", "", "x", "1 ", "1e3", "nan", "inf", "4294967296", "0x1",
                           "99999999999999999999"}) {
    file.metadata.at("step") = step;
    EXPECT_EQ(
        test::refusal_of(trainer->load_checkpoint(value_of(write_safetensors(file, DType::f32)))),
        std::string("checkpoint: step ") + step + " is not a whole number from 0 to 1000000000");
  }
}

// Its square root would make every later step fail.
TEST(BrokenCheckpoint, IsRejectedIfAMeanOfSquaresIsNegative) {
  const auto trainer = tiny_trainer();
  SafetensorsFile file = value_of(read_safetensors(value_of(trainer->save_checkpoint())));
  file.tensors.at("v.head.bias").data[2] = -0.5f;
  EXPECT_EQ(
      test::refusal_of(trainer->load_checkpoint(value_of(write_safetensors(file, DType::f32)))),
      "v.head.bias[2]: -0.5 is negative; expected a mean of squares");
}

// The encoding allocates arrays that it derives from its weights. Each allocation fails in turn.
TEST(FailedLoad, LeavesTheTrainerUnchanged) {
  const auto trainer = tiny_trainer(), other = tiny_trainer();
  value_of(trainer->step(2));
  value_of(other->step(5));
  const Bytes before = value_of(trainer->save_checkpoint()),
              file = value_of(other->save_checkpoint());
  const std::vector<int> tokens = {1, 2, 3, 4, 5};
  const Tensor logits = value_of(trainer->logits(tokens));
  const auto expect_unchanged = [&](const Status& status) {
    EXPECT_EQ(status.code(), StatusCode::resource_exhausted) << status.message();
    EXPECT_EQ(trainer->global_step(), 2);
    EXPECT_EQ(value_of(trainer->save_checkpoint()), before);
    EXPECT_EQ(value_of(trainer->logits(tokens)).data, logits.data);
  };
  const auto fail_each_allocation = [&](auto load) {
    int failures = 0;
    for (bool failed = true; failed; failures += failed) {
      Status status;
      {
        MemoryWatch watch(failures + 1);
        status = load();
        failed = watch.has_failed();
      }
      if (failed) expect_unchanged(status);
      ASSERT_EQ(status.ok(), !failed);
    }
    EXPECT_GT(failures, 0);
    EXPECT_NE(value_of(trainer->logits(tokens)).data, logits.data);
    ASSERT_TRUE(trainer->load_checkpoint(before).ok());
  };
  fail_each_allocation([&] { return trainer->load_weights(other->weights()); });
  fail_each_allocation([&] { return trainer->load_checkpoint(file); });
}

}  // namespace
}  // namespace phasor
