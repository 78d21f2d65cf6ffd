// phasor/analysis: measures encodings and attention.

import { callEngine as call } from './call/call-key.ts';
import type {
  AnalysisEngine,
  AnalysisOptions,
  AnalysisResult,
  AttentionOutput,
  BiasExplanation,
  DistanceProfile,
  ExplainBiasRequest,
  ExplainSoftmaxRequest,
  LinearProbeRequest,
  LinearProbeResult,
  MatrixInput,
  MaxDifference,
  PermutationRequest,
  PermutationResult,
  PermutationTestRequest,
  PermutationTestResult,
  PrincipalComponents,
  PrincipalComponentsRequest,
  RelativePositionErrorRequest,
  RotationMatrixRequest,
  ShiftErrorRequest,
  ShiftMatrixRequest,
  SimilarityRequest,
  Sinusoids,
  SinusoidsRequest,
  SoftmaxExplanation,
  Spectrum,
  TableInput,
  TableStatistics,
  Tensor,
  WithOutputs,
  WithOuts,
} from './types/api.ts';

/**
 * Returns the cosine similarity (-1 to 1) or dot product of each pair of table rows: [length, length].
 * @throws {PhasorError} `invalid_argument` for a table that is not [length, dim]; `unknown_name` for a field that does not exist
 * @example
 * ```js
 * const { similarity } = await import('phasor/analysis');
 * similarity(phasor, { table: { shape: [2, 2], data: [1, 0, 0, 2] } }).data; // [1, 0, 0, 1]
 * similarity(phasor, { table: { shape: [2, 2], data: [1, 0, 0, 2] }, metric: 'dot' }).data; // [1, 0, 0, 4]
 * ```
 */
export function similarity<E extends AnalysisEngine>(
  engine: E,
  request: SimilarityRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, Tensor> {
  return call(engine, 'similarity', request, options);
}

/**
 * Returns the mean, minimum and maximum of each diagonal of a matrix [length, length].
 * @throws {PhasorError} `invalid_argument` for a matrix that is not square
 * @example
 * ```js
 * const { distanceProfile, similarity } = await import('phasor/analysis');
 * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 16, dim: 32 });
 * const profile = distanceProfile(phasor, { matrix: similarity(phasor, { table }) });
 * profile.mean.shape; // [31]
 * profile.spread < 1e-6; // true
 * ```
 */
export function distanceProfile<E extends AnalysisEngine>(
  engine: E,
  request: MatrixInput,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, DistanceProfile> {
  return call(engine, 'distanceProfile', request, options);
}

/**
 * Returns the closest pair of rows in a table, the maximum absolute value, and the Euclidean norm of each row.
 * @throws {PhasorError} `invalid_argument` for a table that is not [rows, dim], or has fewer than two rows
 * @example
 * ```js
 * const { tableStatistics } = await import('phasor/analysis');
 * const { closestPair, maxAbs } = tableStatistics(phasor, { table: { shape: [3, 1], data: [0, 5, 6] } });
 * closestPair; // [1, 2]
 * maxAbs; // 6
 * ```
 */
export function tableStatistics<E extends AnalysisEngine>(
  engine: E,
  request: TableInput,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, TableStatistics> {
  return call(engine, 'tableStatistics', request, options);
}

/**
 * Returns the power spectrum of each table channel: the share of the channel's power at each wavelength (in tokens).
 * @throws {PhasorError} `invalid_argument` for a table that is not [rows, dim]
 * @example
 * ```js
 * const { spectrum } = await import('phasor/analysis');
 * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 64, dim: 4 });
 * const { power, wavelength } = spectrum(phasor, { table });
 * power.shape[0]; // 4
 * wavelength.data[0]; // 64
 * ```
 */
export function spectrum<E extends AnalysisEngine>(
  engine: E,
  request: TableInput & WithOuts<'power' | 'wavelength'>,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, Spectrum> {
  return call(engine, 'spectrum', request, options);
}

/**
 * Runs principal component analysis on the rows of a table. The coordinates are [rows, components].
 * @throws {PhasorError} `invalid_argument` for a table that is not [rows, dim], and for more components than rows or channels
 * @example
 * ```js
 * const { principalComponents } = await import('phasor/analysis');
 * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 50, dim: 32 });
 * principalComponents(phasor, { table, components: 2 }).coordinates.shape; // [50, 2]
 * ```
 */
export function principalComponents<E extends AnalysisEngine>(
  engine: E,
  request: PrincipalComponentsRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, PrincipalComponents> {
  return call(engine, 'principalComponents', request, options);
}

/**
 * Measures how well a linear probe (ridge regression) predicts positions from table rows.
 * @throws {PhasorError} `invalid_argument` for a table that is not [rows, dim] or has too few rows, and for a penalty below 0
 * @example
 * ```js
 * const { linearProbe } = await import('phasor/analysis');
 * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 50, dim: 16 });
 * linearProbe(phasor, { table }).rSquared > 0.99; // true
 * ```
 */
export function linearProbe<E extends AnalysisEngine>(
  engine: E,
  request: LinearProbeRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, LinearProbeResult> {
  return call(engine, 'linearProbe', request, options);
}

/**
 * Returns the matrix M with table[p + k] = M table[p] at every position p of a sinusoidal table: [2 * frequencies, 2 * frequencies], or [channels,
 * channels] for the table of an encoding.
 * @throws {PhasorError} `invalid_argument` for an encoding whose table has no such matrix
 * @example
 * ```js
 * const { shiftMatrix } = await import('phasor/analysis');
 * shiftMatrix(phasor, { frequencies: [1], k: 1 }).data; // [0.540302, 0.841471, -0.841471, 0.540302]
 * ```
 */
export function shiftMatrix<E extends AnalysisEngine>(
  engine: E,
  request: ShiftMatrixRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, Tensor> {
  return call(engine, 'shiftMatrix', request, options);
}

/**
 * Returns the error of a matrix that shifts a table by k positions: the maximum of |table[p + k] - shift table[p]|.
 * @throws {PhasorError} `invalid_argument` for incompatible shapes, and for a k that leaves fewer than two rows
 * @example
 * ```js
 * const { shiftError, shiftMatrix } = await import('phasor/analysis');
 * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 50, dim: 16 });
 * const shift = shiftMatrix(phasor, { encoding: 'sinusoidal', dim: 16, k: 3 });
 * shiftError(phasor, { table, shift, k: 3 }).maxAbsDiff < 1e-5; // true
 * ```
 */
export function shiftError<E extends AnalysisEngine>(
  engine: E,
  request: ShiftErrorRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, MaxDifference> {
  return call(engine, 'shiftError', request, options);
}

/**
 * Returns the frequencies (in radians per token) and channels of the sinusoids in a table.
 * @throws {PhasorError} `invalid_argument` for a table that is not made of sinusoids
 * @example
 * ```js
 * const { sinusoids } = await import('phasor/analysis');
 * const { sine, cosine, frequency } = sinusoids(phasor, { encoding: 'sinusoidal', dim: 4 });
 * sine.data; // [0, 2]
 * cosine.data; // [1, 3]
 * frequency.data; // [1, 0.01]
 * ```
 */
export function sinusoids<E extends AnalysisEngine>(
  engine: E,
  request: SinusoidsRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, Sinusoids> {
  return call(engine, 'sinusoids', request, options);
}

/**
 * Returns the matrix by which a `query_key` encoding multiplies a column vector at one position: [dim, dim].
 * @throws {PhasorError} `unknown_name` for a name that does not exist; `invalid_argument` for an encoding that transforms neither queries
 * nor keys, and for a value outside its range
 * @example
 * ```js
 * const { rotationMatrix } = await import('phasor/analysis');
 * rotationMatrix(phasor, { encoding: 'rope', dim: 2, position: 1 }).data; // [0.540302, -0.841471, 0.841471, 0.540302]
 * ```
 */
export function rotationMatrix<E extends AnalysisEngine>(
  engine: E,
  request: RotationMatrixRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, Tensor> {
  return call(engine, 'rotationMatrix', request, options);
}

/**
 * Measures how much the scores of a `query_key` encoding depend on anything other than position differences.
 * @throws {PhasorError} `invalid_argument` for an encoding that transforms neither queries nor keys, and for more than 4096 positions
 * @example
 * ```js
 * const { relativePositionError } = await import('phasor/analysis');
 * const q = phasor.randomNormal({ seed: 1, shape: [2, 8] });
 * const k = phasor.randomNormal({ seed: 2, shape: [2, 8] });
 * relativePositionError(phasor, { encoding: 'rope', q, k, positions: [0, 1, 5, 100] }).maxAbsDiff < 1e-4; // true
 * ```
 */
export function relativePositionError<E extends AnalysisEngine>(
  engine: E,
  request: RelativePositionErrorRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, MaxDifference> {
  return call(engine, 'relativePositionError', request, options);
}

/**
 * Measures how far a layer is from permutation equivariance, given its outputs for two orders of the same tokens.
 * @throws {PhasorError} `invalid_argument` for outputs of different shapes, and for an order that is not a permutation
 * @example
 * ```js
 * const { permutationError } = await import('phasor/analysis');
 * const before = { shape: [2, 1], data: [10, 20] };
 * const after = { shape: [2, 1], data: [20, 10.5] };
 * permutationError(phasor, { before, after, order: [1, 0] }).maxAbsDiff; // 0.5
 * ```
 */
export function permutationError<E extends AnalysisEngine>(
  engine: E,
  request: PermutationRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, PermutationResult> {
  return call(engine, 'permutationError', request, options);
}

/**
 * Applies a layer to tokens in the original and in a permuted order, and compares the outputs.
 * @throws {PhasorError} `invalid_argument` for an order that is not a permutation, and the errors of `selfAttention`
 * @example
 * ```js
 * const { permutationTest } = await import('phasor/analysis');
 * const x = phasor.randomNormal({ seed: 1, shape: [3, 8] });
 * const order = [2, 0, 1];
 * permutationTest(phasor, { x, heads: 2, order }).maxAbsDiff < 1e-5; // true
 * permutationTest(phasor, { x, heads: 2, order, encoding: 'sinusoidal' }).maxAbsDiff > 0.01; // true
 * ```
 */
export function permutationTest<E extends AnalysisEngine, const W extends readonly AttentionOutput[] = readonly []>(
  engine: E,
  request: WithOutputs<PermutationTestRequest, W>,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, PermutationTestResult<W>> {
  return call(engine, 'permutationTest', request, options);
}

/**
 * Computes the bias between one query and one key step by step: distance, bucket, table entry, bias.
 * @throws {PhasorError} `invalid_argument` for an encoding that adds no bias, or that computes whole rows (cope, transformer_xl); also
 * the errors of `attention`
 * @example
 * ```js
 * const { explainBias } = await import('phasor/analysis');
 * const x = phasor.randomNormal({ seed: 1, shape: [1, 6, 8] });
 * const { names, values } = explainBias(phasor, { q: x, k: x, encoding: 't5', query: 5, key: 0 });
 * names; // ['distance', 'bucket', 'entry', 'bias']
 * values.data[0]; // -5
 * ```
 */
export function explainBias<E extends AnalysisEngine>(
  engine: E,
  request: ExplainBiasRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, BiasExplanation> {
  return call(engine, 'explainBias', request, options);
}

/**
 * Computes one row of attention weights step by step: products, bias, mask, exponentials, weights. Each array is [keys], computed in
 * float64.
 * @throws {PhasorError} `invalid_argument` for a query or a head that does not exist, and the errors of `attention`
 * @example
 * ```js
 * const { explainSoftmax } = await import('phasor/analysis');
 * const x = phasor.randomNormal({ seed: 1, shape: [1, 6, 8] });
 * const chain = explainSoftmax(phasor, { q: x, k: x, query: 2, mask: 'causal' });
 * chain.exponential.data[5]; // 0
 * chain.scale; // 0.353553
 * ```
 */
export function explainSoftmax<E extends AnalysisEngine>(
  engine: E,
  request: ExplainSoftmaxRequest,
  ...options: AnalysisOptions<E>
): AnalysisResult<E, SoftmaxExplanation> {
  return call(engine, 'explainSoftmax', request, options);
}
