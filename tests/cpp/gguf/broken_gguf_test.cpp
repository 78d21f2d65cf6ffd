// Truncated and changed GGUF files are either read or rejected with an error message.

#include <gtest/gtest.h>

#include "gguf_file.h"
#include "results.h"

namespace phasor::test::broken_gguf_test {
namespace {

// A model of one layer with every kind of metadata.
Bytes model_file() {
  GgufFile file;
  file.text("general.architecture", "llama").count("llama.block_count", 1);
  file.count("llama.embedding_length", 32).count("llama.feed_forward_length", 32);
  file.count("llama.attention.head_count", 2).real("llama.attention.layer_norm_rms_epsilon", 1e-5);
  file.texts("tokenizer.ggml.tokens", {"a", "bc", ""});
  file.numbers("tokenizer.ggml.scores", GgufType::float32, std::vector<float>{0, -1, -2});
  file.flag("tokenizer.ggml.add_bos_token", true);
  file.raw("nested", GgufType::array, {9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,  //
                                       0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 7, 8});
  file.tensor("token_embd.weight", {3, 32}, 8, Bytes(102, 1));
  file.tensor("output_norm.weight", {32}, 0, Bytes(128, 1));
  file.tensor("blk.0.attn_q.weight", {32, 32}, 2, Bytes(576, 2));
  file.tensor("blk.0.ffn_up.weight", {32, 32}, 30, Bytes(2048, 3));
  file.tensor("rope_freqs.weight", {8}, 0, Bytes(32, 1));
  return file.bytes();
}

// Reads everything in a file: header, strings, configuration, weights.
void read_all(const Bytes& file) {
  const Result<GgufHeader> header = header_of(file);
  if (!header.ok()) {
    EXPECT_GT(header.status().message().size(), 20u);
    return;
  }
  for (const auto& [key, value] : header->metadata) {
    const auto* array = std::get_if<GgufArray>(&value.value);
    if (array == nullptr) continue;
    ASSERT_LE(array->end, header->end) << key;
    const auto strings =
        read_gguf_strings(*array, std::span(file).subspan(array->begin, array->end - array->begin));
    if (strings.ok()) {
      EXPECT_EQ(strings->size(), array->count) << key;
    }
  }
  OrderedMap<Tensor> config_tensors;
  for (const GgufTensor& tensor : header->tensors) {
    ASSERT_LE(tensor.end, file.size()) << tensor.name;
    const auto dequantized = dequantize(tensor, bytes_of(file, tensor));
    if (!dequantized.ok()) continue;
    EXPECT_EQ(dequantized->size(), numel(tensor.shape)) << tensor.name;
    if (is_gguf_config_tensor(tensor.name))
      config_tensors.add(tensor.name, Tensor(tensor.shape, *dequantized));
  }
  const Result<GgufModel> model = model_from_gguf(*header, config_tensors);
  if (!model.ok()) {
    EXPECT_GT(model.status().message().size(), 15u);
    return;
  }
  for (const GgufWeight& weight : model->weights) {
    const auto tensor =
        read_gguf_weight(*header, weight, bytes_of(file, header->tensors[weight.tensor]));
    if (tensor.ok()) {
      EXPECT_EQ(tensor->data.size(), numel(tensor->shape)) << weight.name;
    }
  }
}

TEST(BrokenGguf, RejectsATruncatedFile) {
  const Bytes file = model_file();
  ASSERT_OK_AND_ASSIGN(const GgufHeader header, header_of(file));
  ASSERT_TRUE(header.tensors.size() == 5);
  for_each_prefix(file, [](const Bytes& prefix) {
    const Result<GgufHeader> result = header_of(prefix);
    ASSERT_FALSE(result.ok()) << prefix.size() << " bytes";
    EXPECT_GT(result.status().message().size(), 20u);
  });
}

TEST(BrokenGguf, ReadsOrRejectsAFileWithChangedBytes) {
  const Bytes file = model_file();
  read_all(file);
  const std::size_t end = value_of(header_of(file)).end;
  for_each_corruption(file, 0, end, 20000, read_all);
  for_each_corruption(file, end, file.size(), 2000, read_all);
}

// Removes, repeats and moves parts of the header, which changed bytes rarely amount to.
TEST(BrokenGguf, ReadsOrRejectsAHeaderWithMovedParts) {
  const Bytes file = model_file();
  const std::size_t end = value_of(header_of(file)).end;
  SplitMix64 random(5);
  for (int n = 0; n < 10000; ++n) {
    Bytes changed_file = file;
    const auto iterator_at = [&](std::size_t offset) {
      return changed_file.begin() + static_cast<std::ptrdiff_t>(offset);
    };
    const std::size_t begin = 24 + random.next() % (end - 24), size = 1 + random.next() % 40;
    const Bytes range(iterator_at(begin), iterator_at(std::min(begin + size, changed_file.size())));
    if (random.next() % 2 == 0)
      changed_file.erase(iterator_at(begin),
                         iterator_at(std::min(begin + size, changed_file.size())));
    if (random.next() % 3 != 0) {
      const std::size_t target = 24 + random.next() % (end - 24);
      changed_file.insert(iterator_at(std::min(target, changed_file.size())), range.begin(),
                          range.end());
    }
    read_all(changed_file);
  }
}

}  // namespace
}  // namespace phasor::test::broken_gguf_test
