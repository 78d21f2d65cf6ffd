#pragma once
// What a positional encoding is: where it enters attention, which parameters it has, and one hook per place of entry.
// Every encoding is one file in cpp/src/encodings; this header is all that attention knows about any of them.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

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

enum class ParamKind { real, integer, choice, boolean };
const char* to_string(ParamKind kind);

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

  static ParamSpec real(std::string name, double fallback, double min, double max, std::string unit, std::string summary);
  static ParamSpec log_real(std::string name, double fallback, double min, double max, std::string unit, std::string summary);
  static ParamSpec integer(std::string name, int fallback, int min, int max, std::string unit, std::string summary);
  static ParamSpec choice(std::string name, std::vector<std::string> choices, std::string summary);  ///< the first word is the default
  static ParamSpec boolean(std::string name, bool fallback, std::string summary);
};

/// A parameter as a caller gives it: a number, a yes or no, or a word.
using ParamValue = std::variant<double, bool, std::string>;

/// An encoding as a caller asks for it.
struct EncodingConfig {
  std::string id = "none";
  std::map<std::string, ParamValue> params{};
};

/// The sizes an encoding is made for.
struct Geometry {
  int length = 1;  ///< number of positions (rows of a table)
  int width = 1;   ///< channels it works on: the embedding width for `input`, the head width for `query_key`
  int heads = 1;
};

/// Positions as token counts. Doubles, because they may be fractional and angles are formed in double.
using Positions = std::span<const double>;

/// Largest absolute position accepted anywhere: 2^31 - 1.
inline constexpr double kMaxPosition = 2147483647.0;

/// Whether a vector that is transformed is a query or a key (XPos treats them differently).
enum class Role { query, key };

/// An encoding with its parameters fixed. Only the hooks of its injection point are overridden; all are pure.
class Encoding {
 public:
  virtual ~Encoding() = default;

  /// input: writes the row of each position. out (positions, width)
  virtual void table(Positions positions, MatrixRef out) const;

  /// query_key: transforms token t of every head by positions[t], in place. x (heads, positions, head width)
  virtual void transform(Role role, Positions positions, Tensor& x) const;
  /// query_key: how many pairs of channels are turned.
  virtual int pairs() const { return 0; }
  /// query_key: the angle of each pair in radians, formed in double. out (positions, pairs)
  virtual void angles(Positions positions, MatrixRef out) const;

  /// score: adds the bias of one head to a tile of scores. tile (queries, keys); position of row r is queries[r].
  virtual void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const;
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

 private:
  std::map<std::string, double> numbers_;
};

/// What one file of cpp/src/encodings says about itself.
struct EncodingType {
  std::string id{};  ///< the name of the file
  Injection injection = Injection::none;
  bool learned = false;        ///< has trained numbers
  bool relative = false;       ///< attention sees only differences of positions
  bool prefix_stable = false;  ///< values of a position do not change with the length of the text
  std::vector<ParamSpec> params{};
  /// Refuses what these sizes do not allow ("width: 7 is odd ..."), else makes the encoding.
  Status (*create)(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) = nullptr;
};

}  // namespace phasor
