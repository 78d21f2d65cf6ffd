// Attention as an optimised JavaScript loop: typed arrays, no allocation in the loops.

/** @param q (heads, n, d) @param k (heads, n, d) @param v (heads, n, d) */
export function attentionLoop(q, k, v, causal = false) {
  const [heads, n, d] = q.shape;
  const output = new Float32Array(heads * n * d);
  const scores = new Float32Array(n);
  const scale = 1 / Math.sqrt(d);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < n; i++) {
      const row = (h * n + i) * d;
      const seen = causal ? i + 1 : n;
      let top = Number.NEGATIVE_INFINITY;
      for (let j = 0; j < seen; j++) {
        const key = (h * n + j) * d;
        let dot = 0;
        for (let c = 0; c < d; c++) dot += q.data[row + c] * k.data[key + c];
        scores[j] = dot * scale;
        top = Math.max(top, scores[j]);
      }
      let total = 0;
      for (let j = 0; j < seen; j++) total += scores[j] = Math.exp(scores[j] - top);
      for (let j = 0; j < seen; j++) {
        const weight = scores[j] / total;
        const value = (h * n + j) * d;
        for (let c = 0; c < d; c++) output[row + c] += weight * v.data[value + c];
      }
    }
  }
  return output;
}
