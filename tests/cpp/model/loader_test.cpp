// Rejected checkpoints and their messages, and checkpoints of several files.

#include <gtest/gtest.h>

#include <cmath>

#include "checkpoint.h"
#include "core/buffer.h"
#include "phasor/safetensors.h"

namespace phasor::test::loader_test {
namespace {

SafetensorsFile tensors_of(const Checkpoint& checkpoint) {
  return value_of(read_safetensors(checkpoint.files[0]));
}

void set_tensors(Checkpoint& checkpoint, const SafetensorsFile& file) {
  checkpoint.files = {value_of(write_safetensors(file, DType::f32))};
}

std::string load_error(const Checkpoint& checkpoint) {
  const Result<std::unique_ptr<Model>> model = load(checkpoint);
  EXPECT_FALSE(model.ok());
  return model.status().message();
}

// The message for llama-gqa after `change` of each tensor; false removes the tensor.
template <class Change>
std::string refusal_of(Change change) {
  Checkpoint checkpoint = read_checkpoint("llama-gqa");
  const SafetensorsFile file = tensors_of(checkpoint);
  SafetensorsFile changed;
  for (const auto& [name, tensor] : file.tensors) {
    Tensor copy = tensor;
    std::string renamed = name;
    if (change(renamed, copy)) changed.tensors.add(renamed, copy);
  }
  set_tensors(checkpoint, changed);
  return load_error(checkpoint);
}

template <class Change>
std::string refusal_of_config(const char* name, Change change) {
  Checkpoint checkpoint = read_checkpoint(name);
  change(checkpoint.config);
  return load_error(checkpoint);
}

TEST(ModelLoader, NamesMissingAndMisshapenTensors) {
  const std::string key = "model.layers.1.self_attn.k_proj.weight";
  EXPECT_EQ(refusal_of([&](const std::string& name, Tensor&) { return name != key; }),
            "weights: " + key + " is missing");
  EXPECT_EQ(refusal_of([&](std::string& name, Tensor&) {
              if (name == "model.norm.weight") name = "model.norm.weights";
              return true;
            }),
            "weights: model.norm.weight is missing");
  EXPECT_EQ(refusal_of([&](const std::string& name, Tensor& tensor) {
              if (name == key) tensor = Tensor({8, 64});
              return true;
            }),
            "weights: " + key + " has shape 8 x 64; expected 16 x 32");
}

TEST(ModelLoader, RejectsUnusedTensors) {
  Checkpoint checkpoint = read_checkpoint("llama-gqa");
  SafetensorsFile file = tensors_of(checkpoint);
  file.tensors.add("model.layers.0.self_attn.sinks", Tensor({4}));
  set_tensors(checkpoint, file);
  EXPECT_EQ(load_error(checkpoint),
            "weights: model.layers.0.self_attn.sinks is not used by the model");
}

TEST(ModelLoader, RejectsNonFiniteWeights) {
  for (const char* name : {"llama-gqa", "llama-tied", "llama-linear"}) {  // F32, BF16, F16
    Checkpoint checkpoint = read_checkpoint(name);
    FileBytes& file = checkpoint.files[0];
    file[file.size() - 1] = 0x7f;  // makes the last weight NaN
    file[file.size() - 2] = 0xff;
    const std::string message = load_error(checkpoint);
    EXPECT_TRUE(message.ends_with("NaN is not a finite number")) << message;
  }
}

TEST(ModelLoader, NamesTheKeyOfARejectedConfig) {
  EXPECT_EQ(refusal_of_config("llama-gqa", [](Json& c) { c["residual_multiplier"] = 0.2; }),
            "residual_multiplier: this key is not supported and might change the results");
  EXPECT_EQ(refusal_of_config("llama-gqa", [](Json& c) { c.erase("hidden_size"); }),
            "hidden_size: the key is missing; expected a whole number");
  EXPECT_EQ(refusal_of_config("llama-gqa", [](Json& c) { c["num_key_value_heads"] = 3; }),
            "num_key_value_heads: 3 does not divide the number of heads; expected a divisor of 4");
  EXPECT_EQ(refusal_of_config("llama-gqa", [](Json& c) { c["vocab_size"] = 63.5; }),
            "vocab_size: 63.5 is not a whole number from 1 to 1048576");
  EXPECT_EQ(refusal_of_config("llama-gqa", [](Json& c) { c["rms_norm_eps"] = "small"; }),
            "rms_norm_eps: \"small\" is not a number");
  EXPECT_TRUE(refusal_of_config("llama-gqa", [](Json& c) {
                c["model_type"] = "mamba";
              }).starts_with("model_type: \"mamba\" is not supported; expected one of bert"));
  EXPECT_TRUE(refusal_of_config("llama-gqa", [](Json& c) {
                c["hidden_act"] = "quick_gelu";
              }).starts_with("hidden_act: \"quick_gelu\" is not supported"));
  EXPECT_EQ(refusal_of_config(
                "bloom-3h", [](Json& c) { c["apply_residual_connection_post_layernorm"] = true; }),
            "apply_residual_connection_post_layernorm: true is not supported; expected false");
}

TEST(ModelLoader, RejectsBrokenFiles) {
  const std::filesystem::path folder =
      std::filesystem::path(PHASOR_SOURCE_DIR) / "tests/golden-models/negative";
  std::ifstream stream(folder / "expected.json");
  const Json expected = Json::parse(stream, nullptr, false);
  ASSERT_GT(expected["files"].size(), 8u);
  for (const Json& file : expected["files"]) {
    if (file["valid"].get<bool>()) continue;
    Checkpoint checkpoint = read_checkpoint("llama-gqa");
    checkpoint.files = {file_bytes(folder / file["file"].get<std::string>())};
    EXPECT_GT(load_error(checkpoint).size(), 20u) << file["file"];
  }
  Checkpoint checkpoint = read_checkpoint("llama-gqa");
  FileBytes& data = checkpoint.files[0];
  data.pop_back();
  EXPECT_NE(load_error(checkpoint).find("bytes of data, but the header"), std::string::npos);
}

TEST(ModelLoader, ReadsSeveralFilesLikeOne) {
  const Checkpoint single_file = read_checkpoint("llama-gqa");
  SafetensorsFile parts[2];
  for (const auto& [name, tensor] : tensors_of(single_file).tensors)
    parts[name.find("layers.1.") != name.npos].tensors.add(name, tensor);
  Checkpoint two_files = single_file;
  two_files.files = {value_of(write_safetensors(parts[0], DType::f32)),
                     value_of(write_safetensors(parts[1], DType::f32))};
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> a, load(single_file));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> b, load(two_files));
  const std::vector<int> ids = {1, 2, 3};
  EXPECT_EQ(value_of(a->run(ids, {})).logits.data, value_of(b->run(ids, {})).logits.data);
  EXPECT_EQ(a->info().bytes, b->info().bytes);
  two_files.files[1] = two_files.files[0];
  EXPECT_NE(load_error(two_files).find("is in two files"), std::string::npos);
}

TEST(ModelLoader, AllocatesMatricesWithTheFirstWeight) {
  const Checkpoint checkpoint = read_checkpoint("llama-gqa");
  Params config;
  flatten(checkpoint.config, "", config);
  const FileBytes& file = checkpoint.files[0];
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelLoader> loader,
                       ModelLoader::create(config, {{"model.safetensors", file.size()}}));
  const auto provide_range = [&] {
    const ByteRange range = loader->next_range().value_or(ByteRange());
    return loader->add_bytes(std::span(file).subspan(static_cast<std::size_t>(range.begin),
                                                     static_cast<std::size_t>(range.size)));
  };
  ASSERT_TRUE(provide_range().ok());  // the length of the header
  const MemoryLimit limit(1000);      // no matrix fits
  ASSERT_TRUE(provide_range().ok());
  ASSERT_TRUE(loader->info().has_value());
  EXPECT_GT(loader->info()->bytes, 80000);
  const Status status = provide_range();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(status.argument(), "weights");
}

TEST(ModelLoader, RejectsUnexpectedBytes) {
  const Checkpoint checkpoint = read_checkpoint("llama-gqa");
  Params config;
  flatten(checkpoint.config, "", config);
  const FileBytes& file = checkpoint.files[0];
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelLoader> loader,
                       ModelLoader::create(config, {{"model.safetensors", file.size()}}));
  EXPECT_FALSE(loader->info().has_value());
  EXPECT_EQ(loader->finish().status().message(), "weights: not all bytes have been provided");
  EXPECT_EQ(loader->add_bytes(std::span(file).first(7)).message(),
            "bytes: 7 were provided; expected 8");
  EXPECT_FALSE(loader->add_bytes(std::span(file).first(8)).ok()) << "it has failed";
  EXPECT_FALSE(ModelLoader::create(config, {}).ok());
  EXPECT_FALSE(ModelLoader::create(config, {{"model.safetensors", 3}}).ok());
}

TEST(Model, RejectsInvalidInputs) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> gpt2, load(read_checkpoint("gpt2-a")));
  const auto message = [&](const std::vector<int>& ids, const RunConfig& config = {}) {
    return gpt2->run(ids, config).status().message();
  };
  EXPECT_EQ(message({}), "input_ids: is empty; expected at least one token id");
  EXPECT_EQ(message({1, 64}), "input_ids[1]: 64 is outside 0 to 63");
  EXPECT_EQ(message({-1}), "input_ids[0]: -1 is outside 0 to 63");
  EXPECT_EQ(message(std::vector<int>(33, 1)),
            "input_ids: 33 tokens exceed the model's number of positions, 32");
  EXPECT_EQ(message({1, 2}, {.attention_mask = {1}}),
            "attention_mask: has 1 entries; expected 2, one per token");
  EXPECT_EQ(message({1, 2}, {.token_type_ids = {0, 0}}),
            "token_type_ids: the model has no token type embeddings");
  EXPECT_FALSE(gpt2->attention_weights(std::vector<int>{1}, 9, 0, {}).ok());
  EXPECT_FALSE(gpt2->create_cache(33).ok());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> gpt2_model, load(read_checkpoint("gpt2-a")));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, gpt2_model->create_cache(4));
  EXPECT_EQ(message({1}, {.cache = cache.get()}), "cache: belongs to another model");
}

}  // namespace
}  // namespace phasor::test::loader_test
