#pragma once
// Reads GGUF files of llama.cpp (ggml-org/ggml, docs/gguf.md), versions 2 and 3, little-endian: the
// header, tensors by byte range, and quantised blocks. Maps them to the config.json, tensor names
// and layouts of transformers.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/params.h"
#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

/// Metadata value types, with their codes in the file format.
enum class GgufType : std::uint32_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  float32,
  boolean,
  string,
  array,
  uint64,
  int64,
  float64,
};

/// A metadata array. Strings and long arrays are stored only as a byte range, because vocabularies
/// have hundreds of thousands of strings. To read tokenizer.ggml.tokens and tokenizer.ggml.merges,
/// pass their bytes to read_gguf_strings.
struct GgufArray {
  GgufType type = GgufType::uint8;  ///< element type
  std::uint64_t count = 0;
  /// Byte range in the file, half-open. A string is an 8-byte length followed by its characters.
  std::uint64_t begin = 0, end = 0;
  /// The elements, if there are at most 4096 and they are numbers or booleans
  std::vector<double> numbers{};
};

struct GgufValue {
  GgufType type = GgufType::uint8;
  /// Unsigned integer, signed integer, float of either size, boolean, string or array
  std::variant<std::uint64_t, std::int64_t, double, bool, std::string, GgufArray> value{};
};

struct GgufTensor {
  std::string name{};
  std::string_view dtype{};  ///< "F32", "Q4_K" ...
  /// As in PyTorch, {rows, columns}: the reverse of the order in the file
  std::vector<int> shape{};
  std::uint64_t begin = 0, end = 0;  ///< byte range in the file, half-open
};

struct GgufHeader {
  std::uint32_t version = 0;
  OrderedMap<GgufValue> metadata{};
  std::vector<GgufTensor> tensors{};  ///< in file order
  std::uint64_t end = 0;              ///< header size in bytes, without the padding that follows
};

/// A complete header, or the number of leading bytes needed to parse it.
struct GgufHeaderPart {
  GgufHeader header{};
  std::uint64_t bytes_needed = 0;  ///< 0: the header is complete
};

/// Reads the header from the first bytes of a file of `file_size` bytes; begin with 64 kB, for
/// example. If the header is longer, `bytes_needed` is at least twice the number of bytes passed,
/// or the size of the file. Rejects other formats, version 1, big-endian files, split models,
/// headers that are truncated or larger than 256 MiB, counts that exceed the file, repeated names,
/// shapes of more than 4 axes, rows that are not a whole number of blocks, and tensors that
/// overlap, leave gaps or exceed the file.
Result<GgufHeaderPart> read_gguf_header(std::span<const std::uint8_t> leading_bytes,
                                        std::uint64_t file_size);

/// Reads an array of strings from bytes [begin, end) of the file.
Result<std::vector<std::string>> read_gguf_strings(const GgufArray& array,
                                                   std::span<const std::uint8_t> bytes);

/// Blocks of weights quantised to 8 bits: weight i is scale[i / terms] * values[i] + offset[i /
/// terms], rounded to float32 after each operation, exactly as ggml computes it.
struct Int8Blocks {
  int terms = 32;  ///< values per scale: 32, or 16 in Q6_K
  std::vector<std::int8_t> values{};
  std::vector<float> scale{}, offset{};
};

/// Checks that the tensor's dtype is supported: F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K,
/// Q5_K, Q6_K. Errors name the tensor and a dtype to convert it to.
Status check_gguf_dtype(const GgufTensor& tensor);
/// Number of bytes in a row of the tensor. A row is a whole number of blocks.
std::uint64_t gguf_row_bytes(const GgufTensor& tensor);
/// Converts rows of the tensor from their bytes to float32. Rejects non-finite values.
Result<std::vector<float>> dequantize(const GgufTensor& tensor,
                                      std::span<const std::uint8_t> bytes);
/// The value of Int8Blocks::terms for the tensor's dtype; 0 if the dtype has no blocks or is not
/// supported.
int gguf_block_terms(const GgufTensor& tensor);
/// Converts rows of the tensor to 8-bit blocks. Rejects F32, F16 and BF16 tensors, because they
/// have no blocks.
Result<Int8Blocks> to_int8_blocks(const GgufTensor& tensor, std::span<const std::uint8_t> bytes);

/// The row order of a GGUF tensor. Rows with indices (outer, first, second, inner) in transformers
/// are stored as (outer, second, first, inner). first = second = 1 if the orders are equal.
struct RowOrder {
  int first = 1, second = 1, inner = 1;
  /// Converts a row index in transformers to the index of that row in the file.
  int stored_row(int row) const;
};

/// A weight's name and shape in transformers, and its tensor in the file.
struct GgufWeight {
  std::string name{};        ///< "model.layers.0.self_attn.q_proj.weight"
  std::size_t tensor = 0;    ///< index in GgufHeader::tensors
  std::vector<int> shape{};  ///< shape in transformers
  RowOrder rows{};
  bool is_transposed = false;  ///< (in, out) in transformers, (out, in) in the file (GPT-2)
  /// The file contains 1 + weight instead of weight (norms of Gemma)
  bool includes_one = false;
};

struct GgufModel {
  Params config{};  ///< keys of config.json, as expected by layers_from_config
  std::vector<GgufWeight> weights{};
};

/// True for tensors that model_from_gguf() adds to the config: frequency factors
/// (rope_freqs.weight, rope_factors_long.weight, rope_factors_short.weight).
bool is_gguf_config_tensor(std::string_view name);

/// Returns the config.json, tensor names and layouts of a GGUF file whose general.architecture is
/// one of bert, bloom, gemma, gemma2, gemma3, gpt2, gptneox, llama, modern-bert, phi3, qwen2,
/// qwen3, smollm3, t5encoder. `config_tensors` contains the values of the file's tensors for which
/// is_gguf_config_tensor is true. Values that llama.cpp defines in its code rather than in the file
/// (Gemma 3's local base and layer pattern) are filled in.
///
/// Rejects other architectures, unknown keys of the architecture, unknown tensors, experts, and
/// missing keys; errors name them.
Result<GgufModel> model_from_gguf(const GgufHeader& header,
                                  const OrderedMap<Tensor>& config_tensors);

/// Reads a weight as float32 in the layout of transformers, from the bytes of its tensor.
Result<Tensor> read_gguf_weight(const GgufHeader& header, const GgufWeight& weight,
                                std::span<const std::uint8_t> bytes);

}  // namespace phasor
