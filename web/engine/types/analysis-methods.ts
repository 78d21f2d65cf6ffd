// The measurements of an engine. A part of `Phasor`, in api.ts.

import type {
  DistanceProfile,
  LinearProbeRequest,
  LinearProbeResult,
  MatrixInput,
  MaxDifference,
  PermutationRequest,
  PermutationResult,
  PrincipalComponents,
  PrincipalComponentsRequest,
  RandomNormalRequest,
  RelativePositionErrorRequest,
  ShiftErrorRequest,
  ShiftMatrixRequest,
  SimilarityRequest,
  Sinusoids,
  SinusoidsRequest,
  Spectrum,
  TableInput,
  TableStatistics,
} from './analysis.ts';
import type { AttentionOutput, WithOutputs } from './attention.ts';
import type { PermutationTestRequest, PermutationTestResult } from './layers.ts';
import type { WithOuts } from './out.ts';
import type { Tensor } from './tensors.ts';

export interface AnalysisMethods {
  /**
   * Cosine similarity, from -1 to 1, or dot product of every pair of rows: [length, length].
   * @throws {PhasorError} `invalid_argument` for a table that is not [length, dim]; `unknown_name` for a field that does not exist
   * @example
   * ```js
   * phasor.similarity({ table: { shape: [2, 2], data: [1, 0, 0, 2] } }).data; // [1, 0, 0, 1]
   * phasor.similarity({ table: { shape: [2, 2], data: [1, 0, 0, 2] }, metric: 'dot' }).data; // [1, 0, 0, 4]
   * ```
   */
  similarity(request: SimilarityRequest): Tensor;

  /**
   * Mean, minimum and maximum along the diagonals of a matrix [length, length].
   * @throws {PhasorError} `invalid_argument` for a matrix that is not square
   * @example
   * ```js
   * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 16, dim: 32 });
   * const profile = phasor.distanceProfile({ matrix: phasor.similarity({ table }) });
   * profile.mean.shape; // [31]
   * profile.spread < 1e-6; // true
   * ```
   */
  distanceProfile(request: MatrixInput): DistanceProfile;

  /**
   * Closest pair, maximum absolute value and Euclidean norms of the rows of a table.
   * @throws {PhasorError} `invalid_argument` for a table that is not [rows, dim], or has fewer than two rows
   * @example
   * ```js
   * const { closestPair, maxAbs } = phasor.tableStatistics({ table: { shape: [3, 1], data: [0, 5, 6] } });
   * closestPair; // [1, 2]
   * maxAbs; // 6
   * ```
   */
  tableStatistics(request: TableInput): TableStatistics;

  /**
   * Power spectrum of each channel of a table: the share of its power at each wavelength, which is in tokens.
   * @throws {PhasorError} `invalid_argument` for a table that is not [rows, dim]
   * @example
   * ```js
   * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 64, dim: 4 });
   * const { power, wavelength } = phasor.spectrum({ table });
   * power.shape[0]; // 4
   * wavelength.data[0]; // 64
   * ```
   */
  spectrum(request: TableInput & WithOuts<'power' | 'wavelength'>): Spectrum;

  /**
   * Principal component analysis of the rows of a table: coordinates [rows, components].
   * @throws {PhasorError} `invalid_argument` for a table that is not [rows, dim], and for more components than it can have
   * @example
   * ```js
   * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 50, dim: 32 });
   * phasor.principalComponents({ table, components: 2 }).coordinates.shape; // [50, 2]
   * ```
   */
  principalComponents(request: PrincipalComponentsRequest): PrincipalComponents;

  /**
   * How well a linear probe (ridge regression) predicts positions from table rows.
   * @throws {PhasorError} `invalid_argument` for a table that is not [rows, dim] or has too few rows, and for a penalty below 0
   * @example
   * ```js
   * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 50, dim: 16 });
   * phasor.linearProbe({ table }).rSquared > 0.99; // true
   * ```
   */
  linearProbe(request: LinearProbeRequest): LinearProbeResult;

  /**
   * The matrix M with table[p + k] = M table[p] for every p of a sinusoidal table: [2 frequencies, 2 frequencies], or [table dim,
   * table dim] for an encoding.
   * @throws {PhasorError} `invalid_argument` for an encoding whose table has no such matrix
   * @example
   * ```js
   * phasor.shiftMatrix({ frequencies: [1], k: 1 }).data; // [0.540302, 0.841471, -0.841471, 0.540302]
   * ```
   */
  shiftMatrix(request: ShiftMatrixRequest): Tensor;

  /**
   * The frequencies, radians per token, and channels of the sinusoids of a table.
   * @throws {PhasorError} `invalid_argument` for a table that is not made of sinusoids
   * @example
   * ```js
   * const { sine, cosine, frequency } = phasor.sinusoids({ encoding: 'sinusoidal', dim: 4 });
   * sine.data; // [0, 2]
   * cosine.data; // [1, 3]
   * frequency.data; // [1, 0.01]
   * ```
   */
  sinusoids(request: SinusoidsRequest): Sinusoids;

  /**
   * How far a matrix is from shifting a table by k positions: the maximum of |table[p + k] - shift table[p]|.
   * @throws {PhasorError} `invalid_argument` for shapes that do not fit each other, and for a k that leaves no two rows
   * @example
   * ```js
   * const table = phasor.positionTable({ encoding: 'sinusoidal', length: 50, dim: 16 });
   * const shift = phasor.shiftMatrix({ encoding: 'sinusoidal', dim: 16, k: 3 });
   * phasor.shiftError({ table, shift, k: 3 }).maxAbsDiff < 1e-5; // true
   * ```
   */
  shiftError(request: ShiftErrorRequest): MaxDifference;

  /**
   * How far the scores of a `query_key` encoding are from depending only on differences of positions.
   * @throws {PhasorError} `invalid_argument` for an encoding that transforms neither queries nor keys, and for more than 4096 positions
   * @example
   * ```js
   * const q = phasor.randomNormal({ seed: 1, shape: [2, 8] });
   * const k = phasor.randomNormal({ seed: 2, shape: [2, 8] });
   * phasor.relativePositionError({ encoding: 'rope', q, k, positions: [0, 1, 5, 100] }).maxAbsDiff < 1e-4; // true
   * ```
   */
  relativePositionError(request: RelativePositionErrorRequest): MaxDifference;

  /**
   * How far a layer's outputs are from permutation equivariance.
   * @throws {PhasorError} `invalid_argument` for outputs of two shapes, and for an order that is not a permutation
   * @example
   * ```js
   * const before = { shape: [2, 1], data: [10, 20] };
   * const after = { shape: [2, 1], data: [20, 10.5] };
   * phasor.permutationError({ before, after, order: [1, 0] }).maxAbsDiff; // 0.5
   * ```
   */
  permutationError(request: PermutationRequest): PermutationResult;

  /**
   * Applies a layer to permuted tokens and compares the outputs with those for the original order.
   * @throws {PhasorError} as `selfAttention`, and `invalid_argument` for an order that is not a permutation
   * @example
   * ```js
   * const x = phasor.randomNormal({ seed: 1, shape: [3, 8] });
   * const order = [2, 0, 1];
   * phasor.permutationTest({ x, heads: 2, order }).maxAbsDiff < 1e-5; // true
   * phasor.permutationTest({ x, heads: 2, order, encoding: 'sinusoidal' }).maxAbsDiff > 0.01; // true
   * ```
   */
  permutationTest<const W extends readonly AttentionOutput[] = readonly []>(
    request: WithOutputs<PermutationTestRequest, W>,
  ): PermutationTestResult<W>;

  /**
   * Samples from the standard normal distribution; the same seed gives the same numbers on every machine.
   * @throws {PhasorError} `invalid_argument` for a shape or seed outside its range; `resource_exhausted` above 1 GiB
   * @example
   * ```js
   * phasor.randomNormal({ seed: 1, shape: [2] }).data; // [-0.0282497, -1.06562]
   * ```
   */
  randomNormal(request: RandomNormalRequest): Tensor;
}
