// Generates a test of tables: the claimed inverse frequencies, or the claimed cosines and sines at a few positions.

import { argumentError } from '../errors.ts';
import type { EncodingConfig, Phasor } from '../types/api.ts';
import { resolveClaim } from './claims.ts';
import { NOISE } from './dump.ts';
import { ANGLE_NOISE } from './fit.ts';
import { channelsOf, type PairLayout } from './planes.ts';
import type { Report } from './report.ts';
import type { TablesDump } from './requests.ts';
import { coordinatesOf, type TokenPositions } from './state.ts';
import { MAX_ELEMENTS, type TestCase, TOLERANCE_FACTOR } from './test-case.ts';

export function createTablesCase(phasor: Phasor, request: TablesDump, report: Report): TestCase {
  const { claim, dim: headDim } = resolveClaim(phasor, request);
  if (!claim || claim.id === 'none') throw argumentError('claim', 'is missing; expected a rotation or a config');
  const dim = request.dim ?? headDim;
  return request.invFreq ? createFrequenciesCase(phasor, request, claim, dim) : createRowsCase(phasor, request, claim, dim, report);
}

/** Relative tolerance of inverse frequencies. Independent of the dump's format, because ports compute them in float32. */
const FREQUENCY_TOLERANCE = 3e-6;

function createFrequenciesCase(phasor: Phasor, request: TablesDump, claim: EncodingConfig, dim: number | undefined): TestCase {
  const pairs = (request.invFreq as NonNullable<TablesDump['invFreq']>).data.length;
  const { data } = phasor.ropeFrequencies({ encoding: claim, dim: dim ?? 2 * pairs }).invFreq;
  return {
    tested: 'inv_freq',
    dtype: 'f32',
    inputs: {},
    expected: { shape: [data.length], data: Float32Array.from(data) },
    rows: Array.from(data, (_, pair) => `pair ${pair}`),
    tolerances: Array.from(data, () => FREQUENCY_TOLERANCE),
  };
}

/**
 * Creates a test of cosines and sines. Each row contains the cosines of one position, then its sines. Columns are repeated if the dump repeats
 * them.
 */
function createRowsCase(
  phasor: Phasor,
  request: TablesDump,
  claim: EncodingConfig,
  headDim: number | undefined,
  { noise, first }: Report,
): TestCase {
  const { cosSinCache, cos } = request;
  const firstTable = cosSinCache ?? cos;
  if (firstTable?.shape.length !== 2) throw argumentError('cos', 'does not have two axes; expected [tokens, pairs] or [tokens, dim]');
  const [tokens = 1, width = 1] = firstTable.shape;
  const columns = cosSinCache ? width / 2 : width;
  const allPositions: TokenPositions = request.positions ?? Array.from({ length: tokens }, (_, token) => token);
  const count = Math.max(2, Math.min(tokens, Math.floor(MAX_ELEMENTS / (2 * columns))));
  const spacedTokens = Array.from({ length: count }, (_, step) => Math.round((tokens - 1) * (step / (count - 1 || 1)) ** 2));
  const testedTokens = [...new Set([...spacedTokens, first?.token ?? 0])].sort((a, b) => a - b);
  const rows = coordinatesOf(testedTokens.map((token) => allPositions[token]) as unknown as TokenPositions);
  const axisCount = rows[0]?.length ?? 1;
  const positions = { shape: axisCount === 1 ? [rows.length] : [rows.length, axisCount], data: Float64Array.from(rows.flat()) };
  const dim = headDim ?? (cosSinCache ? width : columns);
  const angles = phasor.rotaryAngles({ encoding: claim, dim, positions }).data as Float32Array;
  const pairs = angles.length / rows.length;
  if (columns !== pairs && columns !== 2 * pairs)
    throw argumentError('cos', `has ${columns} columns for ${pairs} claimed pairs; expected one or two columns per pair`);
  const isRope = claim.id === 'rope' || claim.id === 'mrope';
  const gain = isRope ? phasor.ropeFrequencies({ encoding: claim, dim }).attentionFactor : 1;
  const layout = request.tableLayout ?? (claim.layout as PairLayout | undefined) ?? (claim.id === 'mrope' ? 'half_split' : 'interleaved');
  const data = new Float32Array(rows.length * 2 * columns);
  for (let row = 0; row < rows.length; row++)
    for (let t = 0; t < pairs; t++) {
      const angle = angles[row * pairs + t] as number;
      const at = columns === pairs ? [t] : channelsOf({ layout, rotaryDim: columns, offset: 0 }, t);
      for (const column of at) {
        data[row * 2 * columns + column] = gain * Math.cos(angle);
        data[(row * 2 + 1) * columns + column] = gain * Math.sin(angle);
      }
    }
  const dtype = noise ?? 'f32';
  return {
    tested: cosSinCache ? 'cos_sin_cache' : 'cos_sin',
    dtype,
    inputs: { positions: axisCount === 1 ? rows.map(([position = 0]) => position) : rows },
    expected: { shape: [rows.length, 2 * columns], data },
    rows: rows.map((row) => `position ${row.join(', ')}`),
    tolerances: rows.map((_, row) => {
      const squaredNoiseSum = angles.subarray(row * pairs, (row + 1) * pairs).reduce((sum, angle) => sum + (ANGLE_NOISE * angle) ** 2, 0);
      return TOLERANCE_FACTOR * Math.sqrt(NOISE[dtype] ** 2 + squaredNoiseSum / pairs);
    }),
  };
}
