// Positions of families without rotary keys: their defaults and the keys that override them.

#include <gtest/gtest.h>

#include <cmath>

#include "model_encoding_file.h"
#include "phasor/relative_position.h"

namespace phasor::test {
namespace {

TEST(ModelFamily, ReadsTheSizeOfLearnedTables) {
  struct Case {
    const char* family;
    const char* key;
    double rows, row_offset;  // if the key is 40
    double default_rows;
  };
  for (const Case& c :
       {Case{"gpt2", "n_positions", 40, 0, 1024}, Case{"gpt_bigcode", "n_positions", 40, 0, 1024},
        Case{"gpt2", "max_position_embeddings", 40, 0, 1024},
        Case{"openai-gpt", "n_positions", 40, 0, 512},
        Case{"gpt_neo", "max_position_embeddings", 40, 0, 2048},
        Case{"bert", "max_position_embeddings", 40, 0, 512},
        Case{"electra", "max_position_embeddings", 40, 0, 512},
        Case{"distilbert", "max_position_embeddings", 40, 0, 512},
        Case{"roberta", "max_position_embeddings", 40, 2, 512},
        Case{"xlm-roberta", "max_position_embeddings", 40, 2, 512},
        Case{"opt", "max_position_embeddings", 42, 2, 2050},
        Case{"biogpt", "max_position_embeddings", 42, 2, 1026},
        Case{"bart", "max_position_embeddings", 42, 2, 1026},
        Case{"mbart", "max_position_embeddings", 42, 2, 1026},
        Case{"blenderbot", "max_position_embeddings", 40, 0, 128}}) {
    SCOPED_TRACE(c.family);
    const ConfigEncoding config = model({{"model_type", word(c.family)}, {c.key, 40.0}});
    EXPECT_EQ(config.encoding.id, "learned");
    EXPECT_EQ(number(config.encoding, "max_length"), c.rows);
    EXPECT_EQ(number_or_0(config.encoding, "row_offset"), c.row_offset);
    EXPECT_EQ(config.position_offset, 0);
    EXPECT_EQ(number(model({{"model_type", word(c.family)}}).encoding, "max_length"),
              c.default_rows);
  }
}

TEST(ModelFamily, SelectsThePositionIdModeByFamily) {
  const auto mode = [](const char* family) {
    return model({{"model_type", word(family)}}).position_id_mode;
  };
  for (const char* family : {"opt", "biogpt", "roberta", "camembert"})
    EXPECT_EQ(mode(family), PositionIdMode::opt) << family;
  for (const char* family : {"bart", "gpt2", "bert", "marian", "xglm", "jamba"})
    EXPECT_EQ(mode(family), std::nullopt) << family;
  EXPECT_EQ(mode("bloom"), PositionIdMode::bloom);
  EXPECT_EQ(number(model({{"model_type", word("roberta")}, {"pad_token_id", 0.0}}).encoding,
                   "row_offset"),
            1);
}

TEST(ModelFamily, ReadsRelativeKeysOfBertAsShaw) {
  const ConfigEncoding bert = model({{"model_type", word("bert")},
                                     {"position_embedding_type", word("relative_key")},
                                     {"max_position_embeddings", 32.0}});
  EXPECT_EQ(bert.encoding.id, "shaw");
  EXPECT_EQ(number(bert.encoding, "clip"), 31);  // a table of 2 x 32 - 1 rows
  EXPECT_EQ(text(bert.encoding, "direction"), "left_positive");
  EXPECT_FALSE(std::get<bool>(bert.encoding.params.at("values")));
  EXPECT_EQ(model_refusal({{"model_type", word("bert")},
                           {"position_embedding_type", word("relative_key_query")}}),
            "position_embedding_type: \"relative_key_query\" contradicts model_type");
}

TEST(ModelFamily, ReadsT5BucketsPerStack) {
  for (const char* family : {"t5", "mt5", "umt5", "longt5", "switch_transformers"}) {
    const ConfigEncoding encoder = model({{"model_type", word(family)}}, {.stack = "encoder"});
    EXPECT_EQ(encoder.encoding.id, "t5") << family;
    EXPECT_EQ(number(encoder.encoding, "num_buckets"), 32);
    EXPECT_EQ(number(encoder.encoding, "max_distance"), 128);
    EXPECT_TRUE(std::get<bool>(encoder.encoding.params.at("bidirectional")));
    EXPECT_FALSE(encoder.scale.has_value());  // unset: the scale of the encoding applies
  }
  const Params file = {{"model_type", word("t5")},
                       {"relative_attention_num_buckets", 8.0},
                       {"relative_attention_max_distance", 20.0}};
  const ConfigEncoding decoder = model(file, {.stack = "decoder"});
  EXPECT_EQ(number(decoder.encoding, "num_buckets"), 8);
  EXPECT_EQ(number(decoder.encoding, "max_distance"), 20);
  EXPECT_FALSE(std::get<bool>(decoder.encoding.params.at("bidirectional")));
  EXPECT_EQ(model_refusal(file),
            "stack: is required, because layers differ; expected one of encoder, decoder");
}

TEST(ModelFamily, ReadsSinusoidsAndTheirOffsets) {
  for (const char* family : {"marian", "pegasus", "ctrl"}) {
    const ConfigEncoding marian = model({{"model_type", word(family)}});
    EXPECT_EQ(marian.encoding.id, "sinusoidal") << family;
    EXPECT_EQ(text(marian.encoding, "layout"), "concatenated");
    EXPECT_EQ(text(marian.encoding, "frequencies"), "paper");
    EXPECT_EQ(marian.position_offset, 0);
  }
  const ConfigEncoding m2m = model({{"model_type", word("m2m_100")}, {"pad_token_id", 3.0}});
  EXPECT_EQ(text(m2m.encoding, "frequencies"), "fairseq");
  EXPECT_EQ(number(m2m.encoding, "padding_idx"), 3);
  EXPECT_EQ(m2m.position_offset, 4);
  EXPECT_EQ(m2m.position_id_mode, PositionIdMode::fairseq);
  EXPECT_EQ(m2m.padding_idx, 3);
  const ConfigEncoding xglm = model({{"model_type", word("xglm")}, {"pad_token_id", 3.0}});
  EXPECT_EQ(xglm.position_offset, 2);
  EXPECT_EQ(number(xglm.encoding, "padding_idx"), 3);
}

TEST(ModelFamily, ReadsWhisperEncoderAndDecoder) {
  EXPECT_EQ(
      text(model({{"model_type", word("whisper")}}, {.stack = "encoder"}).encoding, "frequencies"),
      "tensor2tensor");
  const ConfigEncoding decoder = model(
      {{"model_type", word("whisper")}, {"max_target_positions", 30.0}}, {.stack = "decoder"});
  EXPECT_EQ(number(decoder.encoding, "max_length"), 30);
}

TEST(ModelFamily, ReadsDebertaTermsAndBuckets) {
  Params file = {{"model_type", word("deberta-v2")}, {"relative_attention", true},
                 {"position_biased_input", false},   {"pos_att_type", word("p2c|c2p")},
                 {"max_relative_positions", -1.0},   {"max_position_embeddings", 64.0},
                 {"position_buckets", 32.0}};
  const EncodingConfig second = model(file).encoding;
  EXPECT_EQ(second.id, "deberta");
  EXPECT_EQ(text(second, "terms"), "c2p_p2c");
  EXPECT_EQ(number(second, "position_buckets"), 32);
  EXPECT_EQ(number(second, "max_relative_positions"), 64);
  file["model_type"] = word("deberta");
  file["pos_att_type"] = word("c2p");
  file["max_relative_positions"] = 16.0;
  const EncodingConfig first = model(file).encoding;
  EXPECT_EQ(text(first, "terms"), "c2p");
  EXPECT_EQ(number(first, "position_buckets"), 0);
  EXPECT_EQ(number(first, "max_relative_positions"), 16);
  const auto expected_message = [&](const char* value) {
    return "relative_attention: " + std::string(value) +
           "; expected true, with pos_att_type and without position_biased_input";
  };
  file["pos_att_type"] = word("");
  EXPECT_EQ(model_refusal(file), expected_message("true"));
  file["pos_att_type"] = word("p2c");
  EXPECT_EQ(text(model(file).encoding, "terms"), "p2c");
  file["position_biased_input"] = true;
  EXPECT_EQ(model_refusal(file), expected_message("true"));
  file["relative_attention"] = false;
  file["pos_att_type"] = word("none");
  file["position_biased_input"] = false;
  EXPECT_EQ(model_refusal(file), expected_message("false"));
  // Without these keys, the model has a learned table, as BERT has.
  EXPECT_EQ(model({{"model_type", word("deberta")}}).encoding.id, "learned");
}

TEST(ModelFamily, ReadsTransformerXlClampLength) {
  EXPECT_EQ(number(model({{"model_type", word("transfo-xl")}}).encoding, "clamp_len"), 1000);
  EXPECT_EQ(
      number(model({{"model_type", word("xlnet")}, {"attn_type", word("bi")}, {"clamp_len", -1.0}})
                 .encoding,
             "clamp_len"),
      0);
}

TEST(ModelFamily, RejectsOptionsWithoutAnEncoding) {
  EXPECT_EQ(model_refusal({{"model_type", word("transfo-xl")}, {"attn_type", 1.0}}),
            "attn_type: 1 has no encoding");
  EXPECT_EQ(model_refusal({{"model_type", word("xlnet")}, {"bi_data", true}}),
            "bi_data: true has no encoding");
  EXPECT_EQ(model_refusal({{"model_type", word("mpt")}, {"attn_config.rope", true}}),
            "attn_config.rope: true has no encoding");
  const Params longt5 = {{"model_type", word("longt5")},
                         {"encoder_attention_type", word("transient-global")}};
  EXPECT_EQ(model_refusal(longt5, {.stack = "encoder"}),
            "encoder_attention_type: \"transient-global\" has no encoding");
}

TEST(ModelFamily, ReadsJambaAsNoneAndRejectsModelsWithoutAttention) {
  EXPECT_EQ(model({{"model_type", word("jamba")}}).encoding.id, "none");
  for (const char* family : {"mamba", "mamba2", "falcon_mamba", "rwkv"}) {
    EXPECT_EQ(model_refusal({{"model_type", word(family)}}),
              "model_type: \"" + std::string(family) + "\" has neither attention nor positions");
  }
}

TEST(ModelFamily, ReadsTheScoreScale) {
  EXPECT_EQ(model({{"model_type", word("gpt_neo")}}).scale, 1);
  EXPECT_FALSE(model({{"model_type", word("gpt2")}}).scale.has_value());
  EXPECT_EQ(model({{"model_type", word("gpt2")}, {"scale_attn_weights", false}}).scale, 1);
  const Params gpt2 = {{"model_type", word("gpt2")},
                       {"scale_attn_by_inverse_layer_idx", true},
                       {"n_embd", 32.0},
                       {"n_head", 2.0}};
  EXPECT_EQ(model(gpt2, {.layer_idx = 2}).scale, 1.0 / 12);
  EXPECT_EQ(model_refusal(gpt2, {.layer_idx = -1}),
            "layer_idx: -1 is not a layer index; expected 0, 1, 2 ...");
  EXPECT_EQ(model_refusal(gpt2),
            "layer_idx: is required, because layers differ; expected 0, 1, 2 ...");
  // GPT-BigCode does not read scale_attn_by_inverse_layer_idx.
  const Params bigcode = {{"model_type", word("gpt_bigcode")},
                          {"scale_attn_by_inverse_layer_idx", true}};
  EXPECT_FALSE(model(bigcode).scale.has_value());
  EXPECT_FALSE(model(bigcode, {.layer_idx = 2}).scale.has_value());
  EXPECT_EQ(model({{"model_type", word("gpt_bigcode")}, {"scale_attn_weights", false}}).scale, 1);
}

}  // namespace
}  // namespace phasor::test
