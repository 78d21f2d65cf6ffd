// An encoding as a program: functions that compute what the core computes, for reading and for running elsewhere. One file an encoding.
// By its place of entry it defines, in NumPy and PyTorch alike:
//   input          encode(positions, width) -> table (positions, width)
//   query_key      rotate(x, positions, role='query') -> x (heads, positions, width) with its pairs rotated
//   score          bias(heads, queries, keys) -> (heads, queries, keys), from positions of queries and keys
//   score_content  content_bias(q, k, queries, keys, scale) -> (heads, queries, keys), added to scale * q k^T
//   key_value      the same, and values(weights, queries, keys) -> (heads, queries, width), added to the output

/** The source for given parameters: `param(name)` is its value, or the default, as a literal. */
export type EncodingSource = (param: (name: string) => string | number | boolean) => { readonly numpy: string; readonly pytorch: string };
