#pragma once
// The expected rotary encoding of a listed family.

#include "model_encoding_file.h"

namespace phasor::test {

inline constexpr const char *kHalf = "half_split", *kNeighbours = "interleaved";

struct Expected {
  const char* layout = kHalf;
  double base = 10000;
  double rotary_fraction = 1;  // above 1: number of channels
  const char* scaling = "none";
  int rotary_dim = 128;  // head_dim of the model
};

inline void expect(const Params& file, const ConfigOptions& options, const Expected& expected,
                   const std::string& where) {
  SCOPED_TRACE(where);
  const ConfigEncoding read = model(file, options, expected.rotary_dim);
  ASSERT_TRUE(read.encoding.id == "rope" || read.encoding.id == "mrope") << read.encoding.id;
  EXPECT_EQ(text(read.encoding, "layout"), expected.layout);
  EXPECT_EQ(number(read.encoding, "base"), expected.base);
  EXPECT_EQ(text(read.encoding, "scaling"), expected.scaling);
  const double fraction = number_or_0(read.encoding, "rotary_fraction"),
               dim = number_or_0(read.encoding, "rotary_dim");
  EXPECT_EQ(dim > 0 ? dim : fraction > 0 ? fraction : 1, expected.rotary_fraction);
  EXPECT_TRUE(read.assumed.empty());
}

inline void expect_none(const Params& file, const ConfigOptions& options,
                        const std::string& where) {
  EXPECT_EQ(model(file, options).encoding.id, "none") << where;
  EXPECT_FALSE(
      rope_from_config(file, {.layer_type = options.layer_type, .layer_idx = options.layer_idx})
          .ok())
      << where;
}

}  // namespace phasor::test
