// Encodings as optimised JavaScript loops: typed arrays, no allocation in the loops, and loop invariants computed in advance.

/** Sinusoidal table (length, width) of Vaswani et al. */
export function sinusoidalLoop(length, width) {
  const data = new Float32Array(length * width);
  const frequencies = Float64Array.from({ length: width / 2 }, (_, t) => 10000 ** ((-2 * t) / width));
  for (let p = 0; p < length; p++) {
    for (let t = 0; t < width / 2; t++) {
      const angle = p * frequencies[t];
      data[p * width + 2 * t] = Math.sin(angle);
      data[p * width + 2 * t + 1] = Math.cos(angle);
    }
  }
  return data;
}

/** RoPE with the pairs (t, t + width / 2). @param x (heads, tokens, width) */
export function ropeLoop(x) {
  const [heads, tokens, width] = x.shape;
  const pairs = width / 2;
  const data = new Float32Array(x.data.length);
  const cosine = new Float32Array(tokens * pairs);
  const sine = new Float32Array(tokens * pairs);
  for (let t = 0; t < pairs; t++) {
    const frequency = 10000 ** ((-2 * t) / width);
    for (let p = 0; p < tokens; p++) {
      cosine[p * pairs + t] = Math.cos(p * frequency);
      sine[p * pairs + t] = Math.sin(p * frequency);
    }
  }
  for (let h = 0; h < heads; h++) {
    for (let p = 0; p < tokens; p++) {
      const row = (h * tokens + p) * width;
      for (let t = 0; t < pairs; t++) {
        const a = x.data[row + t];
        const b = x.data[row + pairs + t];
        const c = cosine[p * pairs + t];
        const s = sine[p * pairs + t];
        data[row + t] = a * c - b * s;
        data[row + pairs + t] = a * s + b * c;
      }
    }
  }
  return data;
}

/** Symmetric ALiBi bias (heads, tokens, tokens), for a power of two of heads. */
export function alibiLoop(heads, tokens) {
  const data = new Float32Array(heads * tokens * tokens);
  for (let h = 0; h < heads; h++) {
    const slope = 2 ** ((-8 * (h + 1)) / heads);
    for (let i = 0; i < tokens; i++) {
      for (let j = 0; j < tokens; j++) data[(h * tokens + i) * tokens + j] = -slope * Math.abs(i - j);
    }
  }
  return data;
}

/** Bidirectional T5 bias with 32 buckets up to distance 128, computed as in Hugging Face: buckets first, then their values. */
export function t5Loop(heads, tokens, table) {
  const side = 16;
  const exact = 8;
  const buckets = new Int32Array(tokens * tokens);
  for (let i = 0; i < tokens; i++) {
    for (let j = 0; j < tokens; j++) {
      const distance = Math.abs(j - i);
      const far = exact + Math.floor((Math.log(distance / exact) / Math.log(128 / exact)) * (side - exact));
      buckets[i * tokens + j] = (j > i ? side : 0) + (distance < exact ? distance : Math.min(far, side - 1));
    }
  }
  const data = new Float32Array(heads * tokens * tokens);
  for (let h = 0; h < heads; h++) {
    for (let n = 0; n < buckets.length; n++) data[h * buckets.length + n] = table.data[buckets[n] * heads + h];
  }
  return data;
}
