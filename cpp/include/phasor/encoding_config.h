#pragma once
// The id, parameters and sizes from which an encoding is created.

#include <optional>
#include <string>

#include "phasor/params.h"

namespace phasor {

/// Where positions enter attention.
enum class Injection {
  none,           ///< nowhere
  input,          ///< a table added to the embeddings
  query_key,      ///< queries and keys transformed by their position
  score,          ///< a bias added to the scores scale * q.k
  score_content,  ///< a bias that also depends on queries and keys
  key_value,      ///< vectors added to keys and values by relative position
};

/// The name of an injection point ("query_key").
const char* to_string(Injection injection);

/// The id and parameters of an encoding.
struct EncodingConfig {
  std::string id = "none";
  Params params{};
};

/// The sizes for which an encoding is created.
struct EncodingDims {
  int length = 1;  ///< maximum number of positions (rows of a table, or keys)
  /// embed_dim for `input` encodings, head_dim otherwise
  int dim = 1;
  int heads = 1;
  int axes = 1;  ///< coordinates of one position: 1 for text, 2 for images
  /// Channels of a value vector, for key_value encodings; 0: `dim`
  int v_head_dim = 0;
  int kv_heads = 0;               ///< key and value heads (grouped-query attention); 0: `heads`
  std::optional<double> scale{};  ///< scale applied to q.k, if the caller sets it
  /// Channels of the embeddings, if a layer computes token tensors from them; 0: token tensors are
  /// passed to each call
  int embed_dim = 0;
};

}  // namespace phasor
