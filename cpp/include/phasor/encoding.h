#pragma once
// What a positional encoding is: where it enters attention, which parameters it has, and one hook per place of entry.
// Every encoding is one file in cpp/src/encodings; this header is all that attention knows about any of them.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "phasor/positions.h"
#include "phasor/status.h"
#include "phasor/tensor.h"

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

enum class ParamKind {
  real,
  integer,
  choice,
  boolean,
  tensor,  ///< an array, usually trained numbers; drawn from `seed` or computed when not given
};
const char* to_string(ParamKind kind);

/// Words of a choice ("true" or "false" of a boolean) beside which another parameter has an effect.
struct Applies {
  std::string choice{};
  std::vector<std::string> words{};
};

/// One parameter of an encoding. Controls, links, documentation and validation are all derived from it.
struct ParamSpec {
  std::string name{};
  ParamKind kind = ParamKind::real;
  double fallback = 0;                 ///< value when not given; index into `choices` for a choice, 0 or 1 for a boolean
  double min = 0;                      ///< smallest allowed number
  double max = 0;                      ///< largest allowed number
  std::vector<std::string> choices{};  ///< the words of a choice
  std::string unit{};                  ///< unit of a number, or empty
  bool logarithmic = false;            ///< a slider should move on a logarithmic scale
  std::string summary{};               ///< one line: what it does
  std::string shape{};                 ///< axes of a tensor in words, "heads x buckets"; empty otherwise
  Applies applies{};                   ///< without a choice: always; beside other words the parameter is not used, and may be refused

  // Literals, because building strings at each of the many calls costs more WebAssembly than building them here once.
  static ParamSpec real(const char* name, double fallback, double min, double max, const char* unit, const char* summary);
  static ParamSpec log_real(const char* name, double fallback, double min, double max, const char* unit, const char* summary);
  static ParamSpec integer(const char* name, int fallback, int min, int max, const char* unit, const char* summary);
  /// The first word is the default.
  static ParamSpec choice(const char* name, std::initializer_list<const char*> choices, const char* summary);
  static ParamSpec boolean(const char* name, bool fallback, const char* summary);
  static ParamSpec tensor(const char* name, const char* shape, const char* summary);
  /// The same parameter, used only beside these words of a choice of the encoding.
  ParamSpec only_with(std::string choice, std::vector<std::string> words) const;
};

/// A parameter as a caller gives it: a number, a yes or no, a word, or an array.
using ParamValue = std::variant<double, bool, std::string, Tensor>;

/// An encoding as a caller asks for it.
struct EncodingConfig {
  std::string id = "none";
  std::map<std::string, ParamValue> params{};
};

/// The sizes an encoding is made for.
struct Geometry {
  int length = 1;  ///< number of positions: rows of a table, or keys
  int width = 1;   ///< channels it works on: the embedding width for `input`, the head width otherwise
  int heads = 1;
  int axes = 1;         ///< coordinates of one position: 1 for text, 2 for images
  int value_width = 0;  ///< channels of a value where that matters (key_value); 0: as many as `width`
};

/// Whether a vector that is transformed is a query or a key (XPos treats them differently).
enum class Role { query, key };

/// Some query rows of one head, as content-dependent encodings see them.
struct ContentTile {
  int head = 0;
  Positions queries;                                    ///< position of each row of q
  Positions keys;                                       ///< position of each row of k
  ConstMatrixRef q;                                     ///< (rows, width)
  ConstMatrixRef k;                                     ///< (all keys, width)
  float scale = 1;                                      ///< the factor on q.k
  const std::vector<std::uint8_t>* key_mask = nullptr;  ///< (all keys), 0 hides a key; nullptr: all are visible
};

/// How fast the pairs of a `query_key` encoding turn.
struct Frequencies {
  std::vector<double> inverse{};  ///< (pairs), radians per token ("inv_freq" in most code)
  double attention_factor = 1;    ///< multiplies cosines and sines, so that scores grow by its square
};

/// One wave of a table along positions of one coordinate: which channel is its sine and which its cosine, -1 where the table leaves
/// it out, and how far it turns per token in radians. A channel that is always 0 is the sine of a wave that stands still.
struct Wave {
  int sine = -1;
  int cosine = -1;
  double frequency = 0;
};

/// Gradients of the learned parameters of an encoding, by name; shapes are those of the parameters.
using Gradients = std::map<std::string, Tensor>;

/// An encoding with its parameters fixed. Only the hooks of its injection point are overridden; all are pure.
/// The *_gradient hooks of learned encodings add to `gradients` what dL/d(output of the forward hook) means for their parameters.
class Encoding {
 public:
  virtual ~Encoding() = default;

  /// The factor on q.k that belongs to the method, where it is not 1 / sqrt(width) (T5: 1). A caller's scale wins.
  virtual std::optional<double> scale(int width) const;

  /// Whether the score of a query at i against a key at j stays the same when the two positions are exchanged and the contents
  /// stay, whatever the trained numbers: the method cannot tell left from right.
  virtual bool symmetric() const { return false; }

  /// Trained numbers, by parameter name; empty for encodings that are formulas.
  virtual std::map<std::string, const Tensor*> learned() const;
  /// Refuses positions the encoding has no answer for (past the end of a learned table).
  virtual Status check_positions(Positions positions) const;
  /// Refuses pairs it has no answer for (a distance past the end of a table of distances).
  virtual Status check_distances(Positions queries, Positions keys) const;

  /// input: how many channels the table has; most fill the width they are given, and others have a width of their own.
  virtual int table_width(int width) const { return width; }
  /// input: writes the row of each position. out (positions, width)
  virtual void table(Positions positions, MatrixRef out) const;
  virtual void table_gradient(Positions positions, ConstMatrixRef d_out, Gradients& gradients) const;
  /// input: the waves that the channels of the table are, for positions of one coordinate; empty for a table that has none.
  virtual std::vector<Wave> waves(int width) const;

  /// query_key: transforms token t of every head by positions[t], in place. x (heads, positions, head width)
  virtual void transform(Role role, Positions positions, Tensor& x) const;
  /// On entry d_x is dL/d(transformed x), on exit dL/dx. x is as before the transform.
  virtual void transform_gradient(Role role, Positions positions, const Tensor& x, Tensor& d_x, Gradients& gradients) const;
  /// query_key: how many pairs of channels are turned.
  virtual int pairs() const { return 0; }
  /// query_key: their frequencies where a description of context extension can change them; empty for all others.
  virtual Frequencies frequencies() const { return {}; }
  /// query_key: the angle of each pair in radians, formed in double. out (positions, pairs)
  virtual void angles(Positions positions, MatrixRef out) const;

  /// score: adds the bias of one head to a tile of scores. tile (queries, keys); position of row r is queries[r].
  /// An encoding that also changes the scores themselves (KERPLE's weighted form) overrides add_content too, which comes first.
  virtual void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const;
  virtual void bias_gradient(int head, Positions queries, Positions keys, ConstMatrixRef d_tile, Gradients& gradients) const;

  /// score_content and key_value: adds terms that depend on queries and keys. On entry scores (rows, keys) holds scale * q.k.
  virtual void add_content(const ContentTile& tile, MatrixRef scores) const;
  /// Also adds to d_q (rows, width) and d_k (keys, width) what comes through the added terms; `scores` is as on entry forward.
  virtual void content_gradient(const ContentTile& tile, ConstMatrixRef scores, ConstMatrixRef d_scores, MatrixRef d_q, MatrixRef d_k,
                                Gradients& gradients) const;

  /// key_value: adds sum_j weights(i, j) aV(i, j) to each output row. weights (rows, keys), output (rows, value width)
  virtual void add_values(int head, Positions queries, Positions keys, ConstMatrixRef weights, MatrixRef output) const;
  /// Adds to d_weights (rows, keys) too.
  virtual void values_gradient(int head, Positions queries, Positions keys, ConstMatrixRef weights, ConstMatrixRef d_output,
                               MatrixRef d_weights, Gradients& gradients) const;
};

/// Parameters after validation: every declared name has a value inside its range.
class Values {
 public:
  double real(const std::string& name) const { return numbers_.at(name); }
  int integer(const std::string& name) const { return static_cast<int>(numbers_.at(name)); }
  bool boolean(const std::string& name) const { return numbers_.at(name) != 0; }
  /// The chosen word's index in ParamSpec::choices, as an enumeration declared in the same order.
  template <class Enum>
  Enum choice(const std::string& name) const {
    return static_cast<Enum>(integer(name));
  }
  void set(const std::string& name, double value) { numbers_[name] = value; }

  /// Whether the caller gave the parameter, rather than leave it at its default.
  bool given(const std::string& name) const { return given_.count(name) > 0; }
  void set_given(const std::string& name) { given_.insert(name); }

  /// The array a caller gave, or nullptr.
  const Tensor* tensor(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? nullptr : &found->second;
  }
  void set(const std::string& name, Tensor value) { tensors_[name] = std::move(value); }

 private:
  std::map<std::string, double> numbers_;
  std::map<std::string, Tensor> tensors_;
  std::set<std::string> given_;
};

/// What one file of cpp/src/encodings says about itself.
struct EncodingType {
  std::string id{};  ///< the name of the file
  Injection injection = Injection::none;
  bool learned = false;        ///< has trained numbers
  bool relative = false;       ///< attention sees only differences of positions
  bool symmetric = false;      ///< with its defaults it cannot tell left from right, see Encoding::symmetric
  bool prefix_stable = false;  ///< values of a position do not change with the length of the text
  int axes = 1;                ///< coordinates of the positions it is made for: 1 in a text, 2 in a picture
  std::vector<ParamSpec> params{};
  /// Refuses what these sizes do not allow ("width: 7 is odd ..."), else makes the encoding.
  Status (*create)(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) = nullptr;
};

}  // namespace phasor
