#pragma once
// What a positional encoding is: where it enters attention, and one hook per place of entry.
// Every encoding is one file in cpp/src/encodings; this header is all that attention knows about any of them.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/frequencies.h"
#include "phasor/named.h"
#include "phasor/params.h"
#include "phasor/positions.h"
#include "phasor/status.h"
#include "phasor/tensor.h"
#include "phasor/waves.h"

namespace phasor {

/// Where position enters attention.
enum class Injection {
  none,           ///< nowhere
  input,          ///< a table added to the embeddings
  query_key,      ///< queries and keys transformed by their position
  score,          ///< a bias added to the scaled scores q.k
  score_content,  ///< a bias that also depends on queries and keys
  key_value,      ///< vectors added to keys and values by relative position
};

/// The word for an injection point as it is written everywhere ("query_key").
const char* to_string(Injection injection);

/// An encoding as a caller asks for it.
struct EncodingConfig {
  std::string id = "none";
  Params params{};
};

/// The sizes an encoding is made for.
struct Geometry {
  int length = 1;  ///< number of positions: rows of a table, or keys
  int width = 1;   ///< channels it works on: the embedding width for `input`, the head width otherwise
  int heads = 1;
  int axes = 1;                   ///< coordinates of one position: 1 for text, 2 for images
  int value_width = 0;            ///< channels of a value where that matters (key_value); 0: as many as `width`
  int kv_heads = 0;               ///< heads of keys where queries share them; 0: as many as `heads`
  std::optional<double> scale{};  ///< the factor on q.k, where the caller gives one
};

/// Whether a vector that is transformed is a query or a key (XPos treats them differently).
enum class Role { query, key };

/// Some query rows of one head, as content-dependent encodings see them.
struct ContentTile {
  int head = 0;
  Positions queries;                                    ///< position of each row of q
  Positions keys;                                       ///< position of each row of k: all keys, or some neighbours
  ConstMatrixRef q;                                     ///< (rows, width)
  ConstMatrixRef k;                                     ///< (keys, width)
  float scale = 1;                                      ///< the factor on q.k
  const std::vector<std::uint8_t>* key_mask = nullptr;  ///< whole rows: (keys), 0 hides a key; nullptr: all are visible
};

/// Gradients of the learned parameters of an encoding, by name; shapes are those of the parameters.
using Gradients = Named<Tensor>;

/// An encoding with its parameters fixed. Only the hooks of its injection point are overridden; all are pure.
/// The *_gradient hooks of learned encodings add to `gradients` what dL/d(output of the forward hook) means for their parameters.
class Encoding {
 public:
  virtual ~Encoding() = default;

  /// The factor on q.k that belongs to the method, where it is not 1 / sqrt(width) (T5: 1). A caller's scale wins.
  virtual std::optional<double> scale(int width) const;

  /// Whether the score of a query at i against a key at j stays the same when the two positions are exchanged and the contents
  /// stay, whatever the learned parameters: the method cannot tell left from right.
  virtual bool symmetric() const { return false; }

  /// Learned parameters, by name; empty for encodings that are formulas.
  virtual Named<const Tensor*> learned() const;
  /// Refuses positions the encoding has no answer for (past the end of a learned table).
  virtual Status check_positions(Positions positions) const;
  /// Refuses pairs it has no answer for (a distance past the end of a table of distances).
  virtual Status check_distances(Positions queries, Positions keys) const;

  /// input: how many channels the table has; most fill the width they are given, and others have a width of their own.
  virtual int table_width(int width) const { return width; }
  /// input: writes the row of each position. out (positions, width)
  virtual void table(Positions positions, MatrixRef out) const;
  virtual void table_backward(Positions positions, ConstMatrixRef d_out, Gradients& gradients) const;
  /// input: the waves that the channels of the table are, for positions of one coordinate; empty for a table that has none.
  virtual std::vector<Wave> waves(int width) const;

  /// query_key: transforms token t of every head by positions[t], in place. x (heads, positions, head width)
  virtual void transform(Role role, Positions positions, Tensor& x) const;
  /// On entry d_x is dL/d(transformed x), on exit dL/dx. x is as before the transform.
  virtual void transform_backward(Role role, Positions positions, const Tensor& x, Tensor& d_x, Gradients& gradients) const;
  /// query_key: how many pairs of channels are turned.
  virtual int pairs() const { return 0; }
  /// query_key: their frequencies where a description of context extension can change them; empty for all others.
  virtual Frequencies frequencies() const { return {}; }
  /// query_key: the angle of each pair in radians, formed in double. out (positions, pairs)
  virtual void angles(Positions positions, MatrixRef out) const;

  /// score: adds the bias of one head to a tile of scores. tile (queries, keys); position of row r is queries[r].
  /// Where weighs_scores, add_content comes first.
  virtual void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const;
  /// score: the bias is a function of the difference of the two positions alone, so that it need not be asked for every pair.
  virtual bool is_toeplitz() const { return false; }
  /// score: the encoding also multiplies the scores themselves (KERPLE's weighted form) and overrides add_content.
  virtual bool weighs_scores() const { return false; }
  virtual void bias_backward(int head, Positions queries, Positions keys, ConstMatrixRef d_tile, Gradients& gradients) const;

  /// score_content: its terms need all keys of a row at once (CoPE counts over them); else it is asked for some keys at a time.
  virtual bool needs_full_rows() const { return false; }
  /// score_content and key_value: adds terms that depend on queries and keys. On entry scores (rows, keys) holds scale * q.k.
  virtual void add_content(const ContentTile& tile, MatrixRef scores) const;
  /// Also adds to d_q (rows, width) and d_k (keys, width) what comes through the added terms; `scores` is as on entry forward.
  virtual void content_backward(const ContentTile& tile, ConstMatrixRef scores, ConstMatrixRef d_scores, MatrixRef d_q, MatrixRef d_k,
                                Gradients& gradients) const;

  /// key_value: adds sum_j weights(i, j) aV(i, j) to each output row. weights (rows, keys), output (rows, value width)
  virtual void add_values(int head, Positions queries, Positions keys, ConstMatrixRef weights, MatrixRef output) const;
  /// Adds to d_weights (rows, keys) too.
  virtual void values_backward(int head, Positions queries, Positions keys, ConstMatrixRef weights, ConstMatrixRef d_output,
                               MatrixRef d_weights, Gradients& gradients) const;
};

/// What one file of cpp/src/encodings says about itself.
struct EncodingType {
  std::string_view id{};  ///< the name of the file
  Injection injection = Injection::none;
  bool learned = false;              ///< has learned parameters
  bool relative = false;             ///< attention sees only differences of positions
  bool symmetric = false;            ///< with its defaults it cannot tell left from right, see Encoding::symmetric
  bool prefix_stable = false;        ///< values of a position do not change with the length of the text
  int axes = 1;                      ///< coordinates of the positions it is made for: 1 in a text, 2 in a picture
  std::string_view packed_params{};  ///< its parameters as the build packs them; read by params(type)
  /// Refuses what these sizes do not allow ("width: 7 is odd ..."), else makes the encoding.
  Status (*create)(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) = nullptr;
};

}  // namespace phasor
