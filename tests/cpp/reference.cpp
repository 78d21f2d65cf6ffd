#include "reference.h"

#include <limits>

namespace phasor::test {
namespace {

Heads rotated(const Oracle& oracle, Role role, Heads x, double first) {
  for (std::size_t h = 0; h < x.size(); ++h) {
    for (std::size_t t = 0; t < x[h].size(); ++t) {
      const double position = first + static_cast<double>(t);
      x[h][t] = oracle.rotate(role, static_cast<int>(h), {&position, 1}, x[h][t]);
    }
  }
  return x;
}

// The index of a pair in an array that broadcasts to (heads, queries, keys).
std::size_t index_of_pair(const std::vector<int>& shape, std::size_t head, std::size_t query,
                          std::size_t key) {
  const std::size_t at[3] = {head, query, key};
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::size_t extent = static_cast<std::size_t>(shape[axis]);
    index = index * extent + (extent == 1 ? 0 : at[3 - shape.size() + axis]);
  }
  return index;
}

// Applies a norm in place, without its weight.
void normalise_vector(const QkNorm& norm, std::vector<double*> x) {
  const double count = static_cast<double>(x.size()),
               eps = norm.eps.value_or(norm.norm == QkNorm::Norm::rms     ? 1e-6
                                       : norm.norm == QkNorm::Norm::layer ? 1e-5
                                                                          : 1e-12);
  double sum = 0, squares = 0;
  for (const double* value : x) sum += *value;
  for (double* value : x) {
    if (norm.norm == QkNorm::Norm::layer) *value -= sum / count;
    squares += *value * *value;
  }
  for (double* value : x) {
    *value /= norm.norm == QkNorm::Norm::l2 ? std::max(std::sqrt(squares), eps)
                                            : std::sqrt(squares / count + eps);
  }
}

}  // namespace

Heads normalised(const QkNorm& norm, const Tensor& weight, Heads x) {
  const std::size_t tokens = x[0].size(), head_dim = x[0][0].size();
  const bool all_heads = norm.over == QkNorm::Over::all_heads;
  for (std::size_t t = 0; t < tokens; ++t) {
    std::vector<double*> all;
    for (std::size_t h = 0; h < x.size(); ++h) {
      for (double& value : x[h][t]) all.push_back(&value);
      if (all_heads && h + 1 < x.size()) continue;
      normalise_vector(norm, all);
      all.clear();
    }
    if (weight.empty()) continue;
    for (std::size_t h = 0; h < x.size(); ++h) {
      for (std::size_t c = 0; c < head_dim; ++c) {
        const double w = static_cast<double>(weight.data[all_heads ? h * head_dim + c : c]);
        x[h][t][c] *= norm.weight_form == QkNorm::WeightForm::one_plus ? 1 + w : w;
      }
    }
  }
  return x;
}

std::vector<Vector> products_of(const Heads& q, const Heads& k, std::size_t query, double scale) {
  std::vector<Vector> all(q.size());
  for (std::size_t h = 0; h < q.size(); ++h) {
    const std::vector<Vector>& keys = k[h / (q.size() / k.size())];
    all[h].reserve(keys.size());
    for (const Vector& key : keys) all[h].push_back(scale * dot(q[h][query], key));
  }
  return all;
}

Heads heads_of(const Tensor& x) {
  Heads heads(static_cast<std::size_t>(x.shape[0]));
  for (int h = 0; h < x.shape[0]; ++h) {
    heads[static_cast<std::size_t>(h)].reserve(static_cast<std::size_t>(x.shape[1]));
    for (int t = 0; t < x.shape[1]; ++t)
      heads[static_cast<std::size_t>(h)].push_back(row_of(x, t, h));
  }
  return heads;
}

Reference reference_attention(const Heads& q, const Heads& k, const Heads& v,
                              const AttentionConfig& config) {
  const std::size_t queries = q[0].size(), keys = k[0].size(), head_dim = q[0][0].size(),
                    v_head_dim = v[0][0].size();
  const std::unique_ptr<Oracle> oracle =
      make_oracle(config.encoding, {.length = static_cast<int>(keys),
                                    .dim = static_cast<int>(head_dim),
                                    .heads = static_cast<int>(q.size()),
                                    .v_head_dim = static_cast<int>(v_head_dim),
                                    .scale = config.scale});
  if (oracle == nullptr)
    return {.scores = {NAN}, .weights = {NAN}, .output = {NAN}, .added = {NAN}};
  const double scale = config.scale.value_or(oracle->scale(static_cast<int>(head_dim)));
  const double position_offset =
      config.position_offset.value_or(static_cast<double>(keys) - static_cast<double>(queries));
  const std::vector<double> key_positions = whole_positions(0, static_cast<int>(keys));
  const auto encode_heads = [&](Role role, const Heads& x, double first) {
    const std::optional<QkNorm>& norm = config.options.qk_norm;
    if (!norm) return rotated(*oracle, role, x, first);
    const Tensor& weight = role == Role::query ? norm->q_weight : norm->k_weight;
    if (norm->order == QkNorm::Order::after_encoding)
      return normalised(*norm, weight, rotated(*oracle, role, x, first));
    return rotated(*oracle, role, normalised(*norm, weight, x), first);
  };
  const Heads encoded_q = encode_heads(Role::query, q, position_offset),
              encoded_k = encode_heads(Role::key, k, 0);
  // The position of a query relative to sink tokens.
  const auto position_of = [&](double i) {
    const bool cache = config.options.sink_positions == SinkPositions::cache;
    return cache && config.window ? std::min(i, config.options.sink_tokens + *config.window - 1.0)
                                  : i;
  };
  std::vector<std::vector<Vector>> products;  // of each query
  for (std::size_t query = 0; query < queries; ++query)
    products.push_back(products_of(encoded_q, encoded_k, query, scale));
  Reference out;
  for (Vector* const pairs : {&out.scores, &out.weights, &out.added})
    pairs->reserve(q.size() * queries * keys);
  for (std::size_t head = 0; head < q.size(); ++head) {
    const std::size_t kv_head = head / (q.size() / k.size());
    const int h = static_cast<int>(head);
    for (std::size_t query = 0; query < queries; ++query) {
      const double i = position_offset + static_cast<double>(query);
      // The masks of keys and pairs combined for this row, and the bias of the call.
      std::vector<std::uint8_t> unmasked(keys, 1);
      Vector pair_bias(keys);
      for (std::size_t j = 0; j < keys; ++j) {
        if (!config.attn_bias.empty())
          pair_bias[j] = static_cast<double>(
              config.attn_bias.data[index_of_pair(config.attn_bias.shape, head, query, j)]);
        const bool masked =
            (!config.key_mask.empty() && config.key_mask[j] == 0) || std::isinf(pair_bias[j]) ||
            (!config.attn_mask.empty() &&
             config.attn_mask.data[index_of_pair(config.attn_mask.shape, head, query, j)] == 0);
        unmasked[j] = masked ? 0 : 1;
      }
      const ScoreRow row{h,     i,        encoded_q[head][query], key_positions, encoded_k[kv_head],
                         scale, unmasked, products[query]};
      const Vector contents = oracle->content_terms(row);
      Vector sink_query = row.q;
      if (position_of(i) != i) {
        Heads single_query;
        for (const auto& tokens : q) single_query.push_back({tokens[query]});
        sink_query = encode_heads(Role::query, single_query, position_of(i))[head][0];
      }
      Vector scores;
      scores.reserve(keys);
      double largest = -std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < keys; ++j) {
        const double position = key_positions[j];
        const bool is_sink = position < config.options.sink_tokens;
        const double sink_position = is_sink ? position_of(i) : i;
        const double encoding_term = contents[j] + oracle->bias(h, sink_position, position),
                     added = encoding_term + pair_bias[j];
        const bool is_future = config.mask == Mask::causal && position > i;
        const bool is_distant =
            !is_sink && config.window && std::fabs(position - i) >= *config.window;
        const bool is_masked = unmasked[j] == 0;
        const auto apply_cap = [&](double score) {
          const std::optional<double>& cap = config.options.softcap;
          return cap ? *cap * std::tanh(score / *cap) : score;
        };
        const double product = scale * dot(is_sink ? sink_query : row.q, row.k[j]);
        scores.push_back(is_future || is_distant || is_masked
                             ? -std::numeric_limits<double>::infinity()
                         : config.options.cap_includes_bias ? apply_cap(product + added)
                                                            : apply_cap(product) + added);
        largest = std::max(largest, scores.back());
        out.added.push_back(encoding_term);
        out.depends_on_content = out.depends_on_content || contents[j] != 0;
      }
      out.scores.insert(out.scores.end(), scores.begin(), scores.end());
      double total = 0;
      if (!config.options.sinks.empty()) {
        const double sink = static_cast<double>(config.options.sinks.data[head]);
        largest = std::max(largest, sink);
        total = std::isinf(sink) ? 0.0 : std::exp(sink - largest);
      }
      out.sink_weights.push_back(total);
      for (double& s : scores) total += s = std::isinf(s) ? 0.0 : std::exp(s - largest);
      if (total > 0) out.sink_weights.back() /= total;
      Vector output(v_head_dim);
      for (std::size_t j = 0; j < keys; ++j) {
        const double weight = total > 0 ? scores[j] / total : 0.0;
        out.weights.push_back(weight);
        if (weight == 0) continue;
        const Vector &value = v[kv_head][j], shift = oracle->value(h, i, key_positions[j]);
        for (std::size_t c = 0; c < v_head_dim; ++c)
          output[c] += weight * (value[c] + (shift.empty() ? 0 : shift[c]));
      }
      out.output.insert(out.output.end(), output.begin(), output.end());
    }
  }
  return out;
}

double allowed(const Reference& result) {
  double largest = 1;
  for (const double s : result.scores)
    largest = std::max(largest, std::isinf(s) ? 0.0 : std::fabs(s) / 8);
  return 2e-6 * largest;
}

}  // namespace phasor::test
