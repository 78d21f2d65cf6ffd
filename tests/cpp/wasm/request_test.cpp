// The request reader accepts every kind of value in its field and rejects it by name elsewhere.

#include "wasm/request.h"

#include <gtest/gtest.h>

#include "wasm/flat_request.h"

namespace phasor::test {
namespace {

using phasor_js::Request;

TEST(Request, ReadsAnEncodingByItsIdOrWithParameters) {
  const FlatRequest by_id = FlatRequest().word("encoding", "rope");
  Request request = by_id.read("positionTable");
  const EncodingConfig rope = request.encoding();
  EXPECT_EQ(rope.id, "rope");
  EXPECT_TRUE(rope.params.empty());
  EXPECT_TRUE(request.finish().ok());

  const FlatRequest with_params = FlatRequest()
                                      .object("encoding")
                                      .word("encoding.id", "t5")
                                      .number("encoding.max_distance", 64)
                                      .flag("encoding.bidirectional", true)
                                      .flag("encoding.causal", false)
                                      .word("encoding.form", "plain")
                                      .tensor("encoding.table", {2, 1}, {0.5, 0.25});
  Request full = with_params.read("attentionBias");
  const EncodingConfig t5 = full.encoding();
  EXPECT_TRUE(full.finish().ok()) << full.status().message();
  EXPECT_EQ(t5.id, "t5");
  EXPECT_EQ(t5.params.size(), 5u);
  EXPECT_EQ(std::get<double>(t5.params.at("max_distance")), 64);
  EXPECT_TRUE(std::get<bool>(t5.params.at("bidirectional")));
  EXPECT_FALSE(std::get<bool>(t5.params.at("causal")));
  EXPECT_EQ(std::get<std::string>(t5.params.at("form")), "plain");
  EXPECT_EQ(std::get<Tensor>(t5.params.at("table")).shape, (std::vector<int>{2, 1}));
}

TEST(Request, AcceptsAListAsATensorOfOneAxis) {
  const FlatRequest flat = FlatRequest()
                               .object("encoding")
                               .word("encoding.id", "alibi")
                               .list("encoding.slopes", {0.5, 0.25})
                               .array("encoding.others", {1e-300, 0.1, 3});
  Request request = flat.read("attentionBias");
  const EncodingConfig alibi = request.encoding();
  ASSERT_TRUE(request.finish().ok()) << request.status().message();
  const auto& slopes = std::get<Tensor>(alibi.params.at("slopes"));
  EXPECT_EQ(slopes.shape, std::vector<int>{2});
  EXPECT_EQ(slopes.data, (std::vector<float>{0.5f, 0.25f}));
  EXPECT_EQ(std::get<Tensor>(alibi.params.at("others")).data, (std::vector<float>{0, 0.1f, 3}));
}

TEST(Request, AcceptsATensorOfOneAxisAsAList) {
  const FlatRequest flat =
      FlatRequest().tensor("frequencies", {2}, {1, 0.01}).tensor("order", {1, 2}, {0, 1});
  Request request = flat.read("shiftMatrix");
  EXPECT_EQ(request.numbers("frequencies"), (std::vector<double>{1, 0.01}));
  EXPECT_TRUE(request.status().ok());
  EXPECT_TRUE(request.whole_numbers("order").empty());
  EXPECT_EQ(request.finish().message(), "order: has shape 1 x 2; expected one axis");
}

TEST(Request, DefaultsToNoEncodingOnlyWhereItIsOptional) {
  const FlatRequest empty;
  EXPECT_EQ(empty.read("attention").encoding_or_none().id, "none");
  Request request = empty.read("positionTable");
  request.encoding();
  EXPECT_EQ(request.finish().message(),
            "encoding: undefined is not the id of an encoding or {id, ...parameters}");
}

TEST(Request, RejectsInvalidEncodings) {
  const std::pair<FlatRequest, std::string> cases[] = {
      {FlatRequest().number("encoding", 3),
       "encoding: 3 is not the id of an encoding or {id, ...parameters}"},
      {FlatRequest().object("encoding"),
       "encoding: an object is not the id of an encoding or {id, ...parameters}"},
      {FlatRequest().object("encoding").number("encoding.id", 3),
       "encoding: an object is not the id of an encoding or {id, ...parameters}"},
      {FlatRequest().list("encoding", {1}),
       "encoding: a list of 1 numbers is not the id of an encoding or {id, ...parameters}"},
  };
  for (const auto& [flat, expected_message] : cases) {
    Request request = flat.read("positionTable");
    request.encoding();
    EXPECT_EQ(request.status().message(), expected_message);
  }
}

TEST(Request, RejectsParametersOfInvalidTypes) {
  constexpr const char* kAllowed =
      " is not a number, a string, true, false, a list of numbers or a tensor {shape, data}";
  const auto make_alibi_request = [] {
    return FlatRequest().object("encoding").word("encoding.id", "alibi");
  };
  const std::pair<FlatRequest, std::string> cases[] = {
      {make_alibi_request().object("encoding.slopes"), std::string("slopes: an object") + kAllowed},
      {make_alibi_request().list("encoding.slopes", {}),
       std::string("slopes: a list of 0 numbers") + kAllowed},
      {make_alibi_request().array("encoding.slopes", {}),
       std::string("slopes: a list of 0 numbers") + kAllowed},
      {make_alibi_request().flags("encoding.slopes", {1, 0}),
       std::string("slopes: a list of 2 booleans") + kAllowed},
      {make_alibi_request().words("encoding.slopes", "a, b"),
       std::string("slopes: a, b") + kAllowed},
      {make_alibi_request().other("encoding.slopes", "[object Map]"),
       std::string("slopes: [object Map]") + kAllowed},
      {make_alibi_request().tensor("encoding.slopes", {3}, {1, 2}),
       "encoding.slopes.data: 2 values do not match its shape, which needs 3"},
      {make_alibi_request()
           .object("encoding.slopes")
           .word("encoding.slopes.shape", "2")
           .array("encoding.slopes.data", {1, 2}),
       "encoding.slopes.shape: \"2\" is not an array of numbers"},
      {make_alibi_request().object("encoding.slopes").list("encoding.slopes.shape", {2}),
       "encoding.slopes: an object is not a tensor {shape, data}"},
  };
  for (const auto& [flat, expected_message] : cases) {
    Request request = flat.read("positionTable");
    request.encoding();
    EXPECT_EQ(request.status().message(), expected_message);
    EXPECT_EQ(request.status().code(), StatusCode::invalid_argument);
  }
}

TEST(Request, ReportsWhereAMisplacedParameterBelongs) {
  const FlatRequest rope_request = FlatRequest().word("encoding", "rope").number("base", 5e5);
  Request request = rope_request.read("positionTable");
  request.encoding();
  EXPECT_EQ(
      request.finish().message(),
      "base is not a field of positionTable; parameters belong in the encoding: {id: \"rope\", "
      "base: ...}");
  EXPECT_EQ(request.status().code(), StatusCode::unknown_name);

  const FlatRequest head_request =
      FlatRequest().object("encoding").word("encoding.id", "alibi").list("slopes", {1});
  Request attention_request = head_request.read("attention");
  attention_request.encoding();
  EXPECT_EQ(attention_request.finish().message(),
            "slopes is not a field of attention; parameters belong in the encoding: {id: "
            "\"alibi\", slopes: ...}");

  // A field that is not a parameter of this encoding, and a parameter in a call without encoding.
  const FlatRequest unknown = FlatRequest().word("encoding", "rope").number("slopes", 1);
  Request table_request = unknown.read("positionTable");
  table_request.encoding();
  EXPECT_EQ(table_request.finish().message(), "slopes is not a field of positionTable");
  const FlatRequest none = FlatRequest().number("base", 1).word("encoding", "rope");
  Request normal_request = none.read("randomNormal");
  EXPECT_EQ(normal_request.finish().message(), "base is not a field of randomNormal");
}

TEST(Request, ReadsPositionsOfOneOrSeveralAxes) {
  const FlatRequest flat = FlatRequest()
                               .list("a", {1, 2.5})
                               .tensor("b", {2, 3}, {1, 2, 3, 4, 5, 6})
                               .tensor("c", {2}, {7, 8});
  Request request = flat.read("positionTable");
  EXPECT_EQ(request.positions("a").values, (std::vector<double>{1, 2.5}));
  const phasor_js::RequestPositions grid = request.positions("b");
  EXPECT_EQ(grid.axes, 3);
  EXPECT_EQ(grid.values.size(), 6u);
  EXPECT_EQ(request.positions("c").axes, 1);
  EXPECT_TRUE(request.finish().ok()) << request.status().message();

  const std::pair<FlatRequest, std::string> cases[] = {
      {FlatRequest().tensor("p", {1, 1, 1}, {1}), "p.shape: expected [tokens] or [tokens, axes]"},
      {FlatRequest().tensor("p", {}, {1}), "p.shape: expected [tokens] or [tokens, axes]"},
      {FlatRequest().tensor("p", {2, 0}, {}), "p.shape: expected [tokens] or [tokens, axes]"},
      {FlatRequest().tensor("p", {2, 2}, {1}),
       "p.data: 1 values do not match its shape, which needs 4"},
      {FlatRequest().object("p"), "p: an object is not a tensor {shape, data}"},
      {FlatRequest().word("p", "0, 1"), "p: \"0, 1\" is not an array of numbers"},
  };
  for (const auto& [invalid_request, expected_message] : cases) {
    Request invalid = invalid_request.read("positionTable");
    EXPECT_TRUE(invalid.positions("p").values.empty());
    EXPECT_EQ(invalid.status().message(), expected_message);
  }
}

TEST(Request, RejectsAnUnreadFieldWithASuggestion) {
  const FlatRequest flat = FlatRequest().number("sead", 1).number("dim", 4);
  Request request = flat.read("selfAttention");
  EXPECT_EQ(request.seed("seed"), 0u);
  EXPECT_EQ(request.integer("dim"), 4);
  EXPECT_EQ(request.finish().message(), "sead is not a field of selfAttention; did you mean seed?");
}

TEST(Request, NamesTheReplacementOfARenamedField) {
  const auto rejection_message = [](const FlatRequest& flat, const char* method, auto read) {
    Request request = flat.read(method);
    read(request);
    const Status status = request.finish();
    EXPECT_EQ(status.code(), StatusCode::unknown_name) << status.message();
    return status.message();
  };
  EXPECT_EQ(rejection_message(FlatRequest().words("want", "weights, map"), "attention",
                              [](Request& request) { request.outputs(); }),
            "want was renamed to outputs");
  // If an old name has several replacements, the error names the one that the call reads, even if
  // that field is present.
  const auto read_size = [](const char* name) {
    return [name](Request& request) { request.integer(name); };
  };
  const FlatRequest wide_request = FlatRequest().number("width", 4);
  EXPECT_EQ(rejection_message(wide_request, "positionTable", read_size("dim")),
            "width was renamed to dim");
  EXPECT_EQ(rejection_message(wide_request, "createCache", read_size("headDim")),
            "width was renamed to headDim");
  EXPECT_EQ(rejection_message(wide_request, "createTrainer", read_size("embedDim")),
            "width was renamed to embedDim");
  EXPECT_EQ(rejection_message(FlatRequest().number("width", 4).number("dim", 4), "positionTable",
                              read_size("dim")),
            "width was renamed to dim");
  EXPECT_EQ(
      rejection_message(wide_request, "combine", [](Request& request) { request.seed("seed"); }),
      "width is not a field of combine");
  // A renamed parameter is reported only for an encoding that has it.
  const auto rotation = [&](const char* id) {
    const FlatRequest flat =
        FlatRequest().object("encoding").word("encoding.id", id).number("encoding.rotary_width", 4);
    Request request = flat.read("rotaryAngles");
    request.encoding();
    return request.finish().message();
  };
  EXPECT_EQ(rotation("rope"), "rotary_width was renamed to rotary_dim");
  EXPECT_EQ(rotation("alibi"), "");
  Request request = wide_request.read("positionTable");
  request.integer("dim");
  const Status status = request.finish();
  EXPECT_EQ(status.argument(), "width");
}

}  // namespace
}  // namespace phasor::test
