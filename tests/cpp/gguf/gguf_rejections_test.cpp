// GGUF files that the model loader rejects with an error message that names the key or the tensor.

#include <gtest/gtest.h>

#include "gguf_conversions.h"
#include "gguf_loading.h"

namespace phasor::test::gguf_rejections_test {
namespace {

std::string rejection_message(const Bytes& file) {
  const auto model = load_gguf(file, [](const ModelLoader&) {});
  return model.ok() ? "not rejected" : model.status().message();
}

// The error message for a file of llama-gqa in which `add` writes one of the tensors.
std::string rejection_with_tensor(
    const std::string& tensor,
    const std::function<void(GgufFile&, const std::string&, Tensor)>& add) {
  const GoldenCheckpoint model = golden_checkpoint("llama-gqa");
  GoldenCheckpoint checkpoint = model;
  checkpoint.file.tensors = {};
  for (const auto& [name, values] : model.file.tensors) {
    if (name != tensor) checkpoint.file.tensors.add(name, values);
  }
  GgufFile file = llama_file(checkpoint);
  const Json names = read_json("golden-gguf/names.json")["names"]["llama"];
  add(file, names[tensor].get<std::string>(), model.file.tensors.at(tensor));
  return rejection_message(file.bytes());
}

const std::string kDown = "model.layers.1.mlp.down_proj.weight";

TEST(GgufRejections, RejectsTensorsByName) {
  EXPECT_EQ(rejection_with_tensor(kDown, [](GgufFile&, const std::string&, const Tensor&) {}),
            "weights: " + kDown + " is missing");
  EXPECT_EQ(rejection_with_tensor(kDown, [](GgufFile& file, const std::string& name,
                                            Tensor t) { file.floats(name, transpose(t)); }),
            "weights: " + kDown + " has shape 56 x 32; expected 32 x 56");
  const std::string up = "model.layers.0.mlp.up_proj.weight";
  EXPECT_EQ(rejection_with_tensor(up,
                                  [](GgufFile& file, const std::string& name, const Tensor& t) {
                                    // IQ4_NL, 32 values in 18 bytes
                                    file.tensor(name, t.shape, 20, Bytes(t.data.size() / 32 * 18));
                                  }),
            "blk.0.ffn_up.weight: the block type IQ4_NL is not supported; requantise the file with "
            "llama-quantize --allow-requantize to Q8_0, or convert the model to one of F32, F16, "
            "BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K, Q6_K");
}

TEST(GgufRejections, RejectsValuesThatAreNotFinite) {
  EXPECT_EQ(rejection_with_tensor(kDown,
                                  [](GgufFile& file, const std::string& name, Tensor t) {
                                    t.data[57] = std::numeric_limits<float>::quiet_NaN();
                                    file.floats(name, t);
                                  }),
            kDown + "[57]: NaN is not a finite number");
  EXPECT_EQ(rejection_with_tensor("model.layers.0.mlp.up_proj.weight",
                                  [](GgufFile& file, const std::string& name, const Tensor& t) {
                                    Bytes blocks(t.data.size() / 32 * 34);
                                    blocks[34 * 5 + 1] = 0x7c;  // the scale of block 5 is infinite
                                    file.tensor(name, t.shape, 8, blocks);
                                  }),
            "blk.0.ffn_up.weight: contains a number that is not finite");
}

TEST(GgufRejections, RejectsFilesThatAreNotASupportedModel) {
  const GoldenCheckpoint model = golden_checkpoint("llama-gqa");
  GgufFile mamba;
  mamba.text("general.architecture", "mamba");
  EXPECT_TRUE(rejection_message(mamba.bytes())
                  .starts_with("general.architecture: \"mamba\" is not known; expected one of"));
  GgufFile split_file = llama_file(model);
  split_file.number("split.count", GgufType::uint16, std::uint16_t{2});
  EXPECT_EQ(rejection_message(split_file.bytes()),
            "split.count: the file is one of several parts; join the parts with llama-gguf-split "
            "--merge");
  GgufFile frequencies = llama_file(model);
  frequencies.floats("rope_freqs.weight", Tensor({3}, {1, 1, 1}));
  EXPECT_EQ(rejection_message(frequencies.bytes()),
            "rope_freqs.weight: has 3 factors; expected one per pair of the 8 rotated channels");
  EXPECT_EQ(rejection_message(Bytes(100)),
            "model.gguf: the file is not a GGUF file, which begins with the letters GGUF");
  EXPECT_EQ(rejection_message({}),
            "model.gguf: 0 bytes are too few for a GGUF file, which begins with the letters GGUF");
}

TEST(GgufRejections, RejectsTruncatedFiles) {
  const Bytes bytes = llama_file(golden_checkpoint("llama-gqa")).bytes();
  const std::size_t header = value_of(header_of(bytes)).end;
  for (std::size_t size = 0; size < bytes.size(); size += size < header ? 7 : 1013) {
    const std::string sentence =
        rejection_message(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_GT(sentence.size(), 20u) << size << " bytes: " << sentence;
  }
  EXPECT_EQ(rejection_message(bytes), "not rejected");
}

TEST(GgufRejections, ReadsOrRejectsChangedHeaders) {
  const Bytes bytes = llama_file(golden_checkpoint("llama-gqa")).bytes();
  const std::size_t header = value_of(header_of(bytes)).end;
  int rejected_count = 0;
  for_each_corruption(bytes, 0, header, 2000, [&](const Bytes& changed) {
    const std::string sentence = rejection_message(changed);
    if (sentence == "not rejected") return;
    ++rejected_count;
    EXPECT_GT(sentence.size(), 15u) << sentence;
  });
  EXPECT_GT(rejected_count, 1000);
}

TEST(GgufRejections, RejectsBytesOfAnotherLength) {
  ASSERT_OK_AND_ASSIGN(const auto loader, ModelLoader::create_gguf({"model.gguf", 1000}));
  EXPECT_EQ(loader->next_range()->size, 1000u);
  EXPECT_EQ(loader->add_bytes(Bytes(999)).message(), "bytes: 999 were provided; expected 1000");
  EXPECT_EQ(loader->gguf_header(), nullptr);
}

}  // namespace
}  // namespace phasor::test::gguf_rejections_test
