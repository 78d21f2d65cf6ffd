// Models that run from GGUF files: golden models against their checkpoints, and blocks of every
// type against a reference in double on values of a decoder in double.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "gguf_blocks.h"
#include "gguf_later_conversions.h"
#include "gguf_loading.h"
#include "model/decoder_reference.h"
#include "numbers.h"

namespace phasor::test::gguf_runs_test {
namespace {

Result<std::unique_ptr<Model>> load(const Bytes& file) {
  return load_gguf(file, [](const ModelLoader&) {});
}

Result<std::unique_ptr<Model>> checkpoint(const std::string& name) {
  return open_model(PHASOR_SOURCE_DIR "/tests/golden-models/" + name);
}

double compute_largest_difference(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.shape, b.shape);
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.data.size(), b.data.size()); ++i)
    largest = std::max(largest, std::fabs(static_cast<double>(a.data[i]) - b.data[i]));
  return largest;
}

TEST(GgufRuns, ResultsMatchTheCheckpoint) {
  const std::vector<int> ids = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  std::vector<GoldenModel> models(std::begin(kModels), std::end(kModels));
  models.insert(models.end(), std::begin(kLaterModels), std::end(kLaterModels));
  for (const GoldenModel& golden : models) {
    SCOPED_TRACE(golden.name);
    ASSERT_OK_AND_ASSIGN(const auto checkpoint_model, checkpoint(golden.name));
    ASSERT_OK_AND_ASSIGN(const auto file_model,
                         load(golden.write(golden_checkpoint(golden.name)).bytes()));
    ASSERT_OK_AND_ASSIGN(const ModelOutput expected,
                         checkpoint_model->run(ids, {.output_attentions = true}));
    ASSERT_OK_AND_ASSIGN(const ModelOutput actual,
                         file_model->run(ids, {.output_attentions = true}));
    // Files of Llama 3 store frequency divisors in float32, and files of Gemma store norms plus 1.
    EXPECT_LE(compute_largest_difference(actual.last_hidden_state, expected.last_hidden_state),
              golden.tolerance);
    for (std::size_t n = 0; n < expected.attentions.size(); ++n)
      EXPECT_LE(compute_largest_difference(actual.attentions[n], expected.attentions[n]),
                golden.tolerance);
    // The converter omits the output heads of encoders.
    if (file_model->info().has_head)
      EXPECT_LE(compute_largest_difference(actual.logits, expected.logits), golden.tolerance);
    else
      EXPECT_FALSE(file_model->info().causal);
    EXPECT_EQ(file_model->info().layers, checkpoint_model->info().layers);
  }
}

TEST(GgufRuns, PermutedAndUnpermutedLlamasHaveEqualLogits) {
  const GoldenCheckpoint model = golden_checkpoint("llama-gqa");
  const std::vector<int> ids = {3, 1, 4, 1, 5, 9};
  ASSERT_OK_AND_ASSIGN(const auto permuted_model, load(llama_file(model, true).bytes()));
  ASSERT_OK_AND_ASSIGN(const auto plain_model, load(llama_file(model, false).bytes()));
  EXPECT_EQ(value_of(permuted_model->run(ids, {})).logits.data,
            value_of(plain_model->run(ids, {})).logits.data);
}

// A decoder of one layer whose matrices are random blocks of the type.
struct BlockModel {
  ReferenceDecoder decoder{};
  OrderedMap<Tensor> weights{};
  GgufFile file{};
};

BlockModel make_block_model(const BlockOracle& oracle) {
  BlockModel out;
  ReferenceDecoder& d = out.decoder;
  const int terms = static_cast<int>(oracle.terms);
  d.hidden = d.inner = 256;
  d.head_dim = 64;
  d.layers = 1;
  out.file.text("general.architecture", "llama").count("llama.embedding_length", d.hidden);
  out.file.count("llama.block_count", d.layers).count("llama.feed_forward_length", d.inner);
  out.file.count("llama.context_length", 64).count("llama.attention.head_count", d.heads);
  out.file.count("llama.attention.head_count_kv", d.kv_heads);
  out.file.real("llama.attention.layer_norm_rms_epsilon", d.eps);
  const Json names = read_json("golden-gguf/names.json")["names"]["llama"];
  SplitMix64 random(oracle.id);
  const auto add_matrix = [&](const std::string& name, int rows, int columns, int heads) {
    std::vector<Bytes> bytes;
    Tensor weights({rows, columns});
    for (int row = 0; row < rows; ++row) {
      Bytes& row_blocks = bytes.emplace_back();
      for (int first = 0; first < columns; first += terms) {
        const Bytes block = random_block(oracle, random);
        row_blocks.insert(row_blocks.end(), block.begin(), block.end());
        for (int i = 0; i < terms; ++i)
          weights.data[static_cast<std::size_t>(row * columns + first + i)] =
              static_cast<float>(oracle.term(block.data(), i));
      }
    }
    out.weights.add(name, std::move(weights));
    Bytes stored_bytes;
    const int dim = heads > 0 ? rows / heads : rows;
    for (int row = 0; row < rows; ++row) {
      const int head_row = row % dim;
      const int source_row =
          heads > 0 ? row - head_row + head_row % 2 * (dim / 2) + head_row / 2 : row;
      const Bytes& row_bytes = bytes[static_cast<std::size_t>(source_row)];
      stored_bytes.insert(stored_bytes.end(), row_bytes.begin(), row_bytes.end());
    }
    out.file.tensor(names[name].get<std::string>(), {rows, columns}, oracle.id, stored_bytes);
  };
  const auto add_norm = [&](const std::string& name) {
    Tensor weights = value_of(random_normal(static_cast<std::uint32_t>(name.size()), {d.hidden}));
    for (float& value : weights.data) value = 1 + 0.25f * value;
    out.file.floats(names[name].get<std::string>(), weights);
    out.weights.add(name, std::move(weights));
  };
  const std::string prefix = "model.layers.0.";
  add_matrix("model.embed_tokens.weight", d.vocab, d.hidden, 0);
  add_norm(prefix + "input_layernorm.weight");
  add_matrix(prefix + "self_attn.q_proj.weight", d.heads * d.head_dim, d.hidden, d.heads);
  add_matrix(prefix + "self_attn.k_proj.weight", d.kv_heads * d.head_dim, d.hidden, d.kv_heads);
  add_matrix(prefix + "self_attn.v_proj.weight", d.kv_heads * d.head_dim, d.hidden, 0);
  add_matrix(prefix + "self_attn.o_proj.weight", d.hidden, d.heads * d.head_dim, 0);
  add_norm(prefix + "post_attention_layernorm.weight");
  add_matrix(prefix + "mlp.gate_proj.weight", d.inner, d.hidden, 0);
  add_matrix(prefix + "mlp.up_proj.weight", d.inner, d.hidden, 0);
  add_matrix(prefix + "mlp.down_proj.weight", d.hidden, d.inner, 0);
  add_norm("model.norm.weight");
  add_matrix("lm_head.weight", d.vocab, d.hidden, 0);
  return out;
}

TEST(GgufRuns, LogitsOfEveryBlockTypeMatchSumsInDouble) {
  const std::vector<int> ids = {3, 14, 15, 9, 26, 5, 3, 5};
  for (const BlockOracle& oracle : block_oracles()) {
    SCOPED_TRACE(oracle.dtype);
    const BlockModel source = make_block_model(oracle);
    ASSERT_OK_AND_ASSIGN(const auto model, load(source.file.bytes()));
    const Rows expected = DecoderReference(source.decoder, source.weights).logits(ids);
    ASSERT_OK_AND_ASSIGN(const ModelOutput out, model->run(ids, {}));
    ASSERT_OK_AND_ASSIGN(const auto cache, model->create_cache(8));
    double largest = 0;
    for (std::size_t t = 0; t < ids.size(); ++t) {
      ASSERT_OK_AND_ASSIGN(const ModelOutput step,
                           model->run(std::vector<int>{ids[t]}, {.cache = cache.get()}));
      for (std::size_t i = 0; i < expected[t].size(); ++i) {
        largest = std::max(largest, std::fabs(expected[t][i]));
        const double logit = out.logits.data[t * expected[t].size() + i];
        ASSERT_LE(error(logit, expected[t][i]), 3e-5) << t;
        ASSERT_LE(error(static_cast<double>(step.logits.data[i]), expected[t][i]), 3e-5) << t;
      }
    }
    EXPECT_GT(largest, 0.5) << "the logits are not all near zero";
  }
}

TEST(GgufRuns, ReportsTheMemoryOfBlocks) {
  for (const BlockOracle& oracle : block_oracles()) {
    const BlockModel source = make_block_model(oracle);
    ASSERT_OK_AND_ASSIGN(const auto model, load(source.file.bytes()));
    double matrices = 0, bytes = 0;
    for (const auto& [name, tensor] : source.weights) {
      const auto size = static_cast<double>(tensor.data.size());
      if (tensor.shape.size() == 2) matrices += size;
      // Panels have 16 rows, so the 30 rows of the vocabulary occupy 32.
      const double padded_size =
          tensor.shape.size() == 2 ? (tensor.shape[0] + 15) / 16 * 16 * 256.0 : 0;
      bytes +=
          tensor.shape.size() == 1 ? 4 * size : padded_size * (oracle.dtype == "Q6_K" ? 1.5 : 1.25);
    }
    EXPECT_EQ(model->info().bytes, bytes) << oracle.dtype;
    EXPECT_EQ(model->info().parameters, matrices + 3 * 256) << oracle.dtype;
  }
}

TEST(GgufRuns, LoaderProvidesTheVocabularyInItsHeader) {
  GgufFile file = llama_file(golden_checkpoint("llama-gqa"));
  std::vector<std::string> vocabulary;
  for (int n = 0; n < 20000; ++n) vocabulary.push_back("token " + std::to_string(n));
  file.texts("tokenizer.ggml.tokens", vocabulary);  // exceeds the first 64 kB
  const Bytes bytes = file.bytes();
  int piece_count = 0;
  ASSERT_OK_AND_ASSIGN(
      const auto model, load_gguf(bytes, [&](const ModelLoader& loader) {
        ++piece_count;
        EXPECT_EQ(loader.gguf_header() != nullptr, loader.info().has_value());
        if (loader.gguf_header() == nullptr) return;
        const auto& tokens =
            std::get<GgufArray>(loader.gguf_header()->metadata.at("tokenizer.ggml.tokens").value);
        const auto token_bytes = std::span(bytes).subspan(tokens.begin, tokens.end - tokens.begin);
        EXPECT_EQ(value_of(read_gguf_strings(tokens, token_bytes)), vocabulary);
      }));
  EXPECT_GT(piece_count, 4);
}

TEST(GgufRuns, OpensAFileByItsPath) {
  const GoldenCheckpoint golden = golden_checkpoint("llama-gqa");
  const Bytes bytes = llama_file(golden).bytes();
  const auto path = std::filesystem::temp_directory_path() / "phasor-gguf-runs-test.gguf";
  const auto write_prefix = [&](std::size_t count) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(count));
  };
  write_prefix(bytes.size());
  const std::vector<int> ids = {1, 2, 3};
  ASSERT_OK_AND_ASSIGN(const auto opened_model, open_model(path.string()));
  ASSERT_OK_AND_ASSIGN(const auto loaded, load(bytes));
  EXPECT_EQ(value_of(opened_model->run(ids, {})).logits.data,
            value_of(loaded->run(ids, {})).logits.data);
  write_prefix(bytes.size() - 1);
  EXPECT_NE(open_model(path.string()).status().message().find("extends past the end of the file"),
            std::string::npos);
  write_prefix(3);
  EXPECT_EQ(open_model(path.string()).status().message(),
            "phasor-gguf-runs-test.gguf: 3 bytes are too few for a GGUF file, which begins with "
            "the letters GGUF");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace phasor::test::gguf_runs_test
