// An encoding as a program: functions that compute what the core computes, for reading and for running elsewhere. One file an encoding, which
// prints only the branch of the chosen values. By its place of entry it defines, in NumPy and PyTorch alike:
//   input          encode(positions, width) -> table (positions, channels)
//   query_key      frequencies or angles as helpers: angles(positions, width) -> (positions, pairs), in radians, and
//                  rotate(x, positions, role='query') -> x (heads, positions, width) with its pairs rotated
//   score          bias(heads, queries, keys) -> (heads, queries, keys), from positions of queries and keys. Where the bias is inside the
//                  fraction (relative_bias), bias(heads, queries, keys, scale=1.0): it shares the factor on q.k
//   score_content  content_bias(q, k, queries, keys, scale) -> (heads, queries, keys), added to scale * q k^T
//   key_value      the same, and, unless only keys are moved, values(weights, queries, keys, width) -> (heads, queries, width), added to the output
// What belongs to the tokens of a call enters by arguments of its name: decay(log_gates, queries, keys) is added to the scores, products(q, k, w,
// beta) stands for q.k, rotate(x, steps, gate) turns x; gates(x, heads) and made(x, heads) are what a layer makes of its embeddings for these. products(q, k, queries, keys) of rope stands for q.k at other distances, and hidden(queries,
// keys) says which keys its method hides.
// A score encoding that also weighs the scores themselves (kerple's weighted_power) defines content_bias beside bias. `none` defines nothing.
// Positions are arrays (tokens,), or (tokens, axes) where a token has several coordinates; float64 arithmetic, as angles need it.
// In PyTorch, tables and biases are returned as float32, and rotated vectors with the dtype they came with.
//
// Trained arrays that were given are literals, or `np.load('table.npy')` above 64 numbers: the figure offers that file beside the code. Those that
// were not given are drawn by the program itself, gaussian(seed, shape) and uniform(seed, shape, low, high) of parts/drawn.ts: the numbers that
// stand for trained ones in the core come from the same few lines, so the program is whole without a file.
import type { Program } from './parts/program.ts';

/** The value of a parameter, or its default. */
export type Values = (name: string) => string | number | boolean;
/** The expression of an array that is given for a parameter; undefined when there is none. */
export type Arrays = (name: string) => string | undefined;

export type EncodingSource = (param: Values, given: Arrays) => Program;
