#pragma once
// Loads a GGUF file from memory by the ranges that the loader requests.

#include <gtest/gtest.h>

#include <functional>

#include "broken_files.h"
#include "phasor/model.h"

namespace phasor::test {

/// Calls `observe` after each range is added.
inline Result<std::unique_ptr<Model>> load_gguf(
    const Bytes& file, const std::function<void(const ModelLoader&)>& observe) {
  PHASOR_TRY_ASSIGN(const std::unique_ptr<ModelLoader> loader,
                    ModelLoader::create_gguf({"model.gguf", file.size()}));
  while (const std::optional<ByteRange> range = loader->next_range()) {
    EXPECT_EQ(range->file, 0);
    EXPECT_GT(range->size, 0u);
    EXPECT_LE(range->size, 8388608u);
    EXPECT_LE(range->begin + range->size, file.size());
    if (range->size == 0 || range->begin + range->size > file.size()) break;
    // A copy, so that the address sanitizer detects reads past its end.
    const Bytes bytes(file.begin() + static_cast<std::ptrdiff_t>(range->begin),
                      file.begin() + static_cast<std::ptrdiff_t>(range->begin + range->size));
    PHASOR_TRY(loader->add_bytes(bytes));
    observe(*loader);
  }
  return loader->finish();
}

}  // namespace phasor::test
