// config_from_json against nlohmann::json, and models opened from folders.

#include <gtest/gtest.h>

#include "broken_files.h"
#include "checkpoint.h"
#include "phasor/safetensors.h"

namespace phasor::test::config_file_test {
namespace {

namespace fs = std::filesystem;

void expect_same(const Params& actual, const Params& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  auto expected_entry = expected.begin();
  for (const auto& [key, value] : actual) {
    EXPECT_EQ(key, expected_entry->first);
    ASSERT_EQ(value.index(), expected_entry->second.index()) << key;
    if (const auto* tensor = std::get_if<Tensor>(&value)) {
      EXPECT_EQ(tensor->shape, std::get<Tensor>(expected_entry->second).shape) << key;
      EXPECT_EQ(tensor->data, std::get<Tensor>(expected_entry->second).data) << key;
    } else if (const auto* number = std::get_if<double>(&value)) {
      EXPECT_EQ(*number, std::get<double>(expected_entry->second)) << key;
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      EXPECT_EQ(*text, std::get<std::string>(expected_entry->second)) << key;
    } else {
      EXPECT_EQ(std::get<bool>(value), std::get<bool>(expected_entry->second)) << key;
    }
    ++expected_entry;
  }
}

TEST(ConfigFromJson, AgreesWithNlohmannJson) {
  for (const std::string& name : checkpoint_names()) {
    SCOPED_TRACE(name);
    const Json config = read_checkpoint(name).config;
    Params expected;
    flatten(config, "", expected);
    expect_same(value_of(config_from_json(config.dump(1))), expected);
  }
  const Json config = Json::parse(
      R"({"a": {"b": [1, -2.5e-3, 1E2], "c": ["x", "\u00e9\n"]}, "d": null, "e": "", "f": 1e-12})");
  Params expected;
  flatten(config, "", expected);
  expect_same(value_of(config_from_json(config.dump())), expected);
  EXPECT_EQ(value_of(config_from_json("{\"a\":[[1,2],{\"b\":3}]}")).size(), 2u);
  EXPECT_EQ(value_of(config_from_json("{}")).size(), 0u);
}

TEST(ConfigFromJson, RejectsTextThatIsNotAJsonObject) {
  for (const char* text :
       {"", "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":tru}", "{\"a\":01x}",
        "{\"a\":-}", "{\"a\":1.}", "{\"a\":1e}", "{\"a\":NaN}", "{\"a\":1e999}", "{\"a\":[1,]}",
        "{\"a\":[1}", "{} {}", "{\"a\":1,\"a\":2}", "{\"a\":\"\\x\"}"}) {
    const Result<Params> read = config_from_json(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_TRUE(read.status().message().starts_with("config: the text is not a JSON object"))
        << text;
  }
  EXPECT_FALSE(config_from_json("{\"a\":" + std::string(100000, '[')).ok());
  const std::string text = read_checkpoint("llama3").config.dump();
  const Bytes bytes(text.begin(), text.end());
  for_each_corruption(bytes, 0, bytes.size(), 5000, [](const Bytes& flipped) {
    (void)config_from_json({reinterpret_cast<const char*>(flipped.data()), flipped.size()});
  });
}

TEST(OpenModel, ReadsSingleAndShardedCheckpoints) {
  const fs::path folder = fs::path(PHASOR_SOURCE_DIR) / "tests/golden-models/llama-gqa";
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> single_file, open_model(folder.string()));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> loaded, load(read_checkpoint("llama-gqa")));
  const std::vector<int> ids = {1, 2, 3};
  const Tensor expected = value_of(loaded->run(ids, {})).logits;
  EXPECT_EQ(value_of(single_file->run(ids, {})).logits.data, expected.data);

  const fs::path sharded = fs::path(testing::TempDir()) / "phasor_sharded_model";
  fs::create_directories(sharded);
  fs::copy_file(folder / "config.json", sharded / "config.json",
                fs::copy_options::overwrite_existing);
  fs::remove(sharded / "model.safetensors.index.json");
  EXPECT_NE(open_model(sharded.string()).status().message().find("has neither"), std::string::npos);
  SafetensorsFile parts[2];
  Json index = {{"metadata", {{"total_size", 1}}}};
  for (const auto& [name, tensor] :
       value_of(read_safetensors(file_bytes(folder / "model.safetensors"))).tensors) {
    const bool second = name.find("layers.1.") != name.npos;
    parts[second].tensors.add(name, tensor);
    index["weight_map"][name] = second ? "b.safetensors" : "a.safetensors";
  }
  const auto write = [&](const char* name, const FileBytes& bytes) {
    std::ofstream(sharded / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  };
  write("a.safetensors", value_of(write_safetensors(parts[0], DType::f32)));
  write("b.safetensors", value_of(write_safetensors(parts[1], DType::f32)));
  const auto write_index = [&] {
    const std::string text = index.dump();
    write("model.safetensors.index.json", {text.begin(), text.end()});
  };
  write_index();
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> sharded_model, open_model(sharded.string()));
  EXPECT_EQ(value_of(sharded_model->run(ids, {})).logits.data, expected.data);

  index["weight_map"]["x"] = "../a.safetensors";
  write_index();
  EXPECT_FALSE(open_model(sharded.string()).ok());
  index["weight_map"]["x"] = "c.safetensors";
  write_index();
  EXPECT_NE(open_model(sharded.string()).status().message().find("cannot be read"),
            std::string::npos);
  EXPECT_FALSE(open_model((sharded / "none").string()).ok());
  fs::remove_all(sharded);
}

}  // namespace
}  // namespace phasor::test::config_file_test
