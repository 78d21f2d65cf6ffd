#pragma once
// Decoders like Llama in double, token by token and independent of the library: norms, rotation,
// windows, caps and gates as in the papers.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/tensor.h"

namespace phasor::test {

/// A change of some heads; its fields correspond to those of PositionChange.
struct ReferenceChange {
  std::function<bool(int layer, int head)> is_changed = [](int, int) { return false; };
  std::function<double(int token)> position = [](int token) { return token; };
  double base = -1;  // 0: no rotation; below 0: the base of the layer
  double clip = 1e9;
  int still_begin = 0, still_end = 0, drop_begin = 0, drop_end = 0;
  bool interleaved = false, zero = false, mean = false;
  int window = -1;  // below 0: the window of the layer
};

struct ReferenceDecoder {
  int hidden = 24, heads = 4, kv_heads = 2, head_dim = 8, inner = 20, vocab = 30, layers = 2;
  double eps = 1e-6;
  double norm_adds = 0;  // 1: weights are 1 + w
  double embedding_scale = 1;
  double scale = 0;  // of q.k; 0: 1 / sqrt(head_dim)
  double score_cap = 0, logit_cap = 0;
  bool qk_norm = false, fused = false, tied = false, sandwich = false, gelu = false;
  std::function<double(int layer)> base = [](int) { return 10000.0; };  // 0: no rotation
  std::function<int(int layer)> window = [](int) { return 1 << 20; };
  ReferenceChange change{};
};

using Row = std::vector<double>;
using Rows = std::vector<Row>;

class DecoderReference {
 public:
  DecoderReference(const ReferenceDecoder& d, const OrderedMap<Tensor>& tensors)
      : d_(d), tensors_(tensors) {}

  Rows logits(const std::vector<int>& ids) const {
    Rows x;
    const Tensor& embedding = tensors_.at("model.embed_tokens.weight");
    for (const int id : ids) {
      x.push_back(row(embedding, id));
      for (double& value : x.back()) value *= d_.embedding_scale;
    }
    for (int n = 0; n < d_.layers; ++n) layer(n, x);
    Rows out;
    for (const Row& token : x) {
      const Row last = norm(token, "model.norm.weight");
      out.push_back(times(last, d_.tied ? "model.embed_tokens.weight" : "lm_head.weight"));
      if (d_.logit_cap > 0) {
        for (double& value : out.back()) value = d_.logit_cap * std::tanh(value / d_.logit_cap);
      }
    }
    return out;
  }

 private:
  static Row row(const Tensor& t, int r) {
    const auto first = t.data.begin() + r * t.shape[1];
    return {first, first + t.shape[1]};
  }
  Row times(const Row& x, const std::string& name) const {
    const Tensor& w = tensors_.at(name);
    Row y;
    for (int o = 0; o < w.shape[0]; ++o) {
      const Row weights = row(w, o);
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * weights[i];
      y.push_back(sum);
    }
    return y;
  }
  Row norm(const Row& x, const std::string& name) const {
    const Tensor& w = tensors_.at(name);
    double squares = 0;
    for (const double value : x) squares += value * value;
    const double rms = std::sqrt(squares / static_cast<double>(x.size()) + d_.eps);
    Row y;
    for (std::size_t i = 0; i < x.size(); ++i)
      y.push_back(x[i] / rms * (static_cast<double>(w.data[i]) + d_.norm_adds));
    return y;
  }
  static Row slice(const Row& x, int first, int count) {
    return {x.begin() + first, x.begin() + first + count};
  }

  Row rotated(const Row& head, double position, double base, const ReferenceChange& change) const {
    Row y = head;
    const int half = d_.head_dim / 2;
    for (int p = 0; p < half && base != 0; ++p) {
      if (p >= change.still_begin && p < change.still_end) continue;
      const double angle = position * std::pow(base, -2.0 * p / d_.head_dim);
      const auto a = static_cast<std::size_t>(change.interleaved ? 2 * p : p),
                 b = static_cast<std::size_t>(change.interleaved ? 2 * p + 1 : p + half);
      y[a] = head[a] * std::cos(angle) - head[b] * std::sin(angle);
      y[b] = head[a] * std::sin(angle) + head[b] * std::cos(angle);
    }
    return y;
  }

  Row head_of(const Row& x, int head, const std::string& norm_name) const {
    Row part = slice(x, head * d_.head_dim, d_.head_dim);
    return d_.qk_norm ? norm(part, norm_name) : part;
  }

  // The output of a head for all tokens, before the projection.
  Rows head_output(int n, int h, const Rows& q, const Rows& k, const Rows& v) const {
    const std::string prefix = "model.layers." + std::to_string(n) + ".self_attn.";
    const ReferenceChange no_change, &change = d_.change.is_changed(n, h) ? d_.change : no_change;
    const double base = change.base < 0 ? d_.base(n) : change.base;
    const int window = change.window < 0 ? d_.window(n) : change.window;
    const double scale = d_.scale > 0 ? d_.scale : 1 / std::sqrt(d_.head_dim);
    const int kv_head = h / (d_.heads / d_.kv_heads);
    Rows outputs;
    for (int i = 0; i < static_cast<int>(q.size()); ++i) {
      Row query = head_of(q[static_cast<std::size_t>(i)], h, prefix + "q_norm.weight");
      for (int p = change.drop_begin; p < change.drop_end; ++p)
        query[static_cast<std::size_t>(p)] = query[static_cast<std::size_t>(p + d_.head_dim / 2)] =
            0;
      Row scores;
      const int first = std::max(0, i - window + 1);
      double sum = 0;
      for (int j = first; j <= i; ++j) {
        const Row key = head_of(k[static_cast<std::size_t>(j)], kv_head, prefix + "k_norm.weight");
        const double distance = std::min(change.position(i) - change.position(j), change.clip);
        const Row rotated_query = rotated(query, distance, base, change);
        double score = 0;
        for (std::size_t c = 0; c < key.size(); ++c) score += rotated_query[c] * key[c];
        score *= scale;
        if (d_.score_cap > 0) score = d_.score_cap * std::tanh(score / d_.score_cap);
        scores.push_back(std::exp(score));
        sum += scores.back();
      }
      Row out(static_cast<std::size_t>(d_.head_dim));
      for (int j = first; j <= i; ++j) {
        const Row value = slice(v[static_cast<std::size_t>(j)], kv_head * d_.head_dim, d_.head_dim);
        for (std::size_t c = 0; c < out.size() && !change.zero; ++c)
          out[c] += scores[static_cast<std::size_t>(j - first)] / sum * value[c];
      }
      outputs.push_back(out);
    }
    if (!change.mean) return outputs;
    Row mean(static_cast<std::size_t>(d_.head_dim));
    for (const Row& out : outputs)
      for (std::size_t c = 0; c < mean.size(); ++c)
        mean[c] += out[c] / static_cast<double>(outputs.size());
    return Rows(outputs.size(), mean);
  }

  void layer(int n, Rows& x) const {
    const std::string prefix = "model.layers." + std::to_string(n) + ".";
    Rows q, k, v;
    for (const Row& token : x) {
      const Row in = norm(token, prefix + "input_layernorm.weight");
      if (d_.fused) {
        const Row outputs = times(in, prefix + "self_attn.qkv_proj.weight");
        const int width = d_.heads * d_.head_dim, kv = d_.kv_heads * d_.head_dim;
        q.push_back(slice(outputs, 0, width));
        k.push_back(slice(outputs, width, kv));
        v.push_back(slice(outputs, width + kv, kv));
      } else {
        q.push_back(times(in, prefix + "self_attn.q_proj.weight"));
        k.push_back(times(in, prefix + "self_attn.k_proj.weight"));
        v.push_back(times(in, prefix + "self_attn.v_proj.weight"));
      }
    }
    Rows head_outputs(x.size());
    for (int h = 0; h < d_.heads; ++h) {
      const Rows head = head_output(n, h, q, k, v);
      for (std::size_t t = 0; t < x.size(); ++t)
        head_outputs[t].insert(head_outputs[t].end(), head[t].begin(), head[t].end());
    }
    for (std::size_t t = 0; t < x.size(); ++t) {
      Row y = times(head_outputs[t], prefix + "self_attn.o_proj.weight");
      if (d_.sandwich) y = norm(y, prefix + "post_attention_layernorm.weight");
      add(y, x[t]);
      y = feed_forward(prefix,
                       norm(x[t], prefix + (d_.sandwich ? "pre_feedforward_layernorm.weight"
                                                        : "post_attention_layernorm.weight")));
      if (d_.sandwich) y = norm(y, prefix + "post_feedforward_layernorm.weight");
      add(y, x[t]);
    }
  }

  Row feed_forward(const std::string& prefix, const Row& x) const {
    Row gate, up;
    if (d_.fused) {
      const Row gate_up = times(x, prefix + "mlp.gate_up_proj.weight");
      gate = slice(gate_up, 0, d_.inner);
      up = slice(gate_up, d_.inner, d_.inner);
    } else {
      gate = times(x, prefix + "mlp.gate_proj.weight");
      up = times(x, prefix + "mlp.up_proj.weight");
    }
    for (std::size_t i = 0; i < up.size(); ++i) {
      const double g = gate[i], pi = std::acos(-1.0);
      up[i] *= d_.gelu ? 0.5 * g * (1 + std::tanh(std::sqrt(2 / pi) * (g + 0.044715 * g * g * g)))
                       : g / (1 + std::exp(-g));
    }
    return times(up, prefix + "mlp.down_proj.weight");
  }

  static void add(const Row& y, Row& x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  }

  const ReferenceDecoder& d_;
  const OrderedMap<Tensor>& tensors_;
};

}  // namespace phasor::test
