// Diagnoses tables of inverse frequencies, or of cosines and sines.

import { argumentError } from '../errors.ts';
import type { EncodingConfig, Phasor } from '../types/api.ts';
import { areFinite, type DumpTensor, detectFormat, isZero, NOISE, type Vectors } from './dump.ts';
import type { PairLayout } from './planes.ts';
import { type Diagnosis, withoutExplanation } from './report.ts';
import { diagnoseRotation } from './rotation.ts';
import type { TokenPositions } from './state.ts';
import { withParameters } from './state.ts';

export interface Tables {
  /** Inverse frequencies: [pairs]. */
  readonly invFreq?: DumpTensor | undefined;
  /** Cosines: [tokens, pairs], or [tokens, 2 * pairs] with one column per channel. */
  readonly cos?: DumpTensor | undefined;
  readonly sin?: DumpTensor | undefined;
  /** Cosines, then sines, in each row: [tokens, 2 * pairs]. */
  readonly cosSinCache?: DumpTensor | undefined;
  /** Channels per head; default: two per pair. */
  readonly dim?: number | undefined;
  readonly positions?: TokenPositions | undefined;
  readonly claim?: EncodingConfig | undefined;
  readonly other?: EncodingConfig | undefined;
  /** Which columns have equal angles: t and t + pairs ('half_split'), or 2t and 2t + 1 ('interleaved'). */
  readonly tableLayout?: PairLayout | undefined;
}

export function diagnoseTables(phasor: Phasor, tables: Tables): Diagnosis {
  const { invFreq, cosSinCache } = tables;
  if (invFreq) return diagnoseFrequencies(phasor, invFreq, tables);
  const { cos, sin } = cosSinCache ? splitCache(cosSinCache) : tables;
  if (!cos || !sin) throw argumentError(cos ? 'sin' : 'cos', 'is missing; expected both cos and sin');
  if (cos.shape.length !== 2 || String(cos.shape) !== String(sin.shape)) return withoutExplanation('cannot_tell', 'shapes_differ');
  if (!areFinite(cos.data) || !areFinite(sin.data)) return withoutExplanation('not_explained', 'not_finite');
  const [tokens = 1, columns = 1] = cos.shape;
  const positions = tables.positions ?? Array.from({ length: tokens }, (_, token) => token);
  // The ones and zeros at position 0 do not affect the detected format, because they are exact in every format.
  const noise = NOISE[detectFormat(cos.data, sin.data)];
  const zeroRow = (positions as readonly unknown[]).indexOf(0);
  if (zeroRow >= 0) {
    const row = (table: DumpTensor) => table.data.subarray(zeroRow * columns, (zeroRow + 1) * columns);
    const [cosine, sine] = [row(cos), row(sin)];
    if (cosine.every((value) => value === 0) && sine.every((value) => value !== 0))
      return diagnoseSwapped(phasor, { ...tables, cos, sin, positions }, zeroRow);
  }
  const [pairs, layout] = detectColumnLayout(cos, sin, tables.dim, noise);
  if (layout === undefined) return withoutExplanation('not_explained', 'not_a_rotation');
  const claimed = tables.tableLayout ?? (tables.claim?.layout as PairLayout | undefined);
  const isDoubled = pairs * 2 === columns;
  const isWrongLayout = isDoubled && layout !== 'either' && claimed !== undefined && layout !== claimed;
  const diagnoseColumns = (columnsAs: PairLayout | 'either') => diagnoseRows(phasor, { ...tables, cos, sin, positions }, pairs, columnsAs);
  const diagnosis = diagnoseColumns(isDoubled ? layout : 'either');
  if (!isWrongLayout) return diagnosis;
  // Residuals of the claim, with the columns read in the claimed layout.
  const claimedLayoutResiduals = diagnoseColumns(claimed).map?.claimed;
  const map = diagnosis.map && claimedLayoutResiduals ? { map: { ...diagnosis.map, claimed: claimedLayoutResiduals } } : {};
  return {
    ...diagnosis,
    ...map,
    verdict: 'wrong_table_layout',
    params: { found: layout, claimed },
    also: listFaults(diagnosis),
  };
}

interface CosSinTables extends Tables {
  readonly cos: DumpTensor;
  readonly sin: DumpTensor;
  readonly positions: TokenPositions;
}

/**
 * Diagnoses tables with one column per pair, or with columns repeated in the given `layout`. The cosine and sine of a pair are treated as the
 * vector (1, 0) after its rotation.
 */
function diagnoseRows(phasor: Phasor, tables: CosSinTables, pairs: number, layout: PairLayout | 'either'): Diagnosis {
  const { cos, sin, positions } = tables;
  const [tokens = 1, columns = 1] = cos.shape;
  const before = new Float32Array(tokens * pairs * 2);
  const after = new Float32Array(tokens * pairs * 2);
  for (let token = 0; token < tokens; token++)
    for (let t = 0; t < pairs; t++) {
      const at = token * columns + (layout === 'interleaved' ? 2 * t : t);
      before[(token * pairs + t) * 2] = 1;
      after[(token * pairs + t) * 2] = cos.data[at] as number;
      after[(token * pairs + t) * 2 + 1] = sin.data[at] as number;
    }
  return diagnoseRotation(phasor, { ...toRotation(before, after, tokens, pairs, tables), positions });
}

/** Lists the faults of a diagnosis, for the `also` field of another one. */
const listFaults = ({ verdict, params, also }: Diagnosis) =>
  /^(as_claimed|identified|cannot_tell|not_explained)$/.test(verdict) ? [] : [{ id: verdict, params }, ...also];

/** Diagnoses tables with swapped cosines and sines: swaps them back and searches for further faults. */
function diagnoseSwapped(phasor: Phasor, tables: CosSinTables, token: number): Diagnosis {
  const { cos, sin } = tables;
  const { map, ...swappedDiagnosis } = diagnoseTables(phasor, { ...tables, cosSinCache: undefined, cos: sin, sin: cos });
  const [pairs, layout = 'either'] = detectColumnLayout(cos, sin, tables.dim, NOISE[detectFormat(cos.data, sin.data)]);
  const misreadResiduals = diagnoseRows(phasor, tables, pairs, layout).map?.claimed;
  return {
    ...withoutExplanation('cos_sin_swapped'),
    first: { token },
    also: listFaults(swappedDiagnosis),
    ...(swappedDiagnosis.noise ? { noise: swappedDiagnosis.noise } : {}),
    ...(swappedDiagnosis.residual === undefined ? {} : { residual: swappedDiagnosis.residual }),
    ...(swappedDiagnosis.rounding === undefined ? {} : { rounding: swappedDiagnosis.rounding }),
    ...(map ? { map: misreadResiduals ? { ...map, claimed: misreadResiduals } : map } : {}),
  };
}

/** Splits a cache whose rows contain the cosines, then the sines. */
function splitCache({ shape, data }: DumpTensor): { readonly cos: DumpTensor; readonly sin: DumpTensor } {
  const [tokens = 1, columns = 1] = shape;
  if (shape.length !== 2 || columns % 2 !== 0)
    throw argumentError('cosSinCache', `has shape ${shape.join(' x ')}; expected [tokens, 2 * pairs]`);
  const pairs = columns / 2;
  const sliceColumns = (firstColumn: number): DumpTensor => ({
    shape: [tokens, pairs],
    data: Float64Array.from(
      { length: tokens * pairs },
      (_, at) => data[Math.floor(at / pairs) * columns + firstColumn + (at % pairs)] as number,
    ),
  });
  return { cos: sliceColumns(0), sin: sliceColumns(pairs) };
}

/** Wraps the values as vectors of interleaved pairs, and adapts the claimed encodings to these vectors. */
function toRotation(
  before: Float32Array,
  after: Float32Array,
  tokens: number,
  pairs: number,
  { claim, other }: Pick<Tables, 'claim' | 'other'>,
) {
  const toVectors = (data: Float32Array): Vectors => ({
    tokens,
    heads: 1,
    dim: 2 * pairs,
    data,
    tokenStride: 2 * pairs,
    headStride: 2 * pairs,
  });
  const toWholeHead = (encoding: EncodingConfig | undefined) =>
    encoding?.id === 'rope' || encoding?.id === 'mrope'
      ? withParameters(encoding, { layout: 'interleaved' }, ['rotary_dim', 'rotary_fraction', 'rotary_offset'])
      : encoding;
  return { before: toVectors(before), after: toVectors(after), claim: toWholeHead(claim), other: toWholeHead(other) };
}

/**
 * Returns the number of pairs and the layout of repeated columns: 'either' if no columns are repeated or both layouts fit, undefined if `dim`
 * requires repeated columns but there are none.
 */
function detectColumnLayout(
  cos: DumpTensor,
  sin: DumpTensor,
  dim: number | undefined,
  noise: number,
): [number, PairLayout | 'either' | undefined] {
  const [tokens = 1, columns = 1] = cos.shape;
  if (columns % 2 !== 0) return [columns, 'either'];
  const pairs = columns / 2;
  const hasEqualColumns = (otherColumns: (t: number) => readonly [number, number]) => {
    for (const { data } of [cos, sin])
      for (let token = 0; token < tokens; token++)
        for (let t = 0; t < pairs; t++) {
          const [a, b] = otherColumns(t);
          if (Math.abs((data[token * columns + a] as number) - (data[token * columns + b] as number)) > noise) return false;
        }
    return true;
  };
  const isHalfSplit = hasEqualColumns((t) => [t, t + pairs]);
  const isInterleaved = hasEqualColumns((t) => [2 * t, 2 * t + 1]);
  if (isHalfSplit !== isInterleaved) return [pairs, isHalfSplit ? 'half_split' : 'interleaved'];
  // If the only position is 0, all columns are equal, so both layouts fit. Without repetition there is one column per pair, so at most dim / 2
  // columns.
  if (isHalfSplit) return [dim === undefined || columns === dim ? pairs : columns, 'either'];
  return dim !== undefined && columns > dim / 2 ? [pairs, undefined] : [columns, 'either'];
}

/** Diagnoses inverse frequencies as rotations of (1, 0). The positions grow geometrically, to resolve both fast and slow frequencies. */
function diagnoseFrequencies(phasor: Phasor, invFreq: DumpTensor, tables: Tables): Diagnosis {
  if (invFreq.shape.length !== 1) throw argumentError('invFreq', `has shape ${invFreq.shape.join(' x ')}; expected [pairs]`);
  if (!areFinite(invFreq.data)) return withoutExplanation('not_explained', 'not_finite');
  if (isZero(invFreq.data)) return withoutExplanation('cannot_tell', 'input_is_zero');
  const pairs = invFreq.data.length;
  const positions = [0, ...Array.from({ length: 32 }, (_, step) => Math.round(1.45 ** step))];
  const before = new Float64Array(positions.length * pairs * 2);
  const after = new Float64Array(positions.length * pairs * 2);
  positions.forEach((position, token) => {
    for (let t = 0; t < pairs; t++) {
      const at = (token * pairs + t) * 2;
      const angle = position * (invFreq.data[t] as number);
      before[at] = 1;
      after[at] = Math.cos(angle);
      after[at + 1] = Math.sin(angle);
    }
  });
  const rotatedTables = toRotation(new Float32Array(0), new Float32Array(0), positions.length, pairs, tables);
  // Inverse frequencies do not include the attention factor.
  const diagnosis = diagnoseRotation(phasor, {
    before: { ...rotatedTables.before, data: before },
    after: { ...rotatedTables.after, data: after },
    positions,
    claim: rotatedTables.claim && removeAttentionFactor(phasor, rotatedTables.claim, 2 * pairs),
    other: rotatedTables.other && removeAttentionFactor(phasor, rotatedTables.other, 2 * pairs),
  });
  const { first: _, ...rest } = diagnosis;
  if (!rotatedTables.claim || /^(as_claimed|identified)$/.test(diagnosis.verdict)) return rest;
  const claimed = phasor.ropeFrequencies({ encoding: rotatedTables.claim, dim: 2 * pairs }).invFreq.data;
  const channel = Array.from(claimed).findIndex(
    (claimedFrequency, t) => Math.abs((invFreq.data[t] as number) - claimedFrequency) > 3e-6 * Math.abs(claimedFrequency),
  );
  return { ...rest, ...(channel < 0 ? {} : { first: { channel } }) };
}

const removeAttentionFactor = (phasor: Phasor, encoding: EncodingConfig, dim: number) =>
  phasor.ropeFrequencies({ encoding, dim }).attentionFactor === 1 ? encoding : withParameters(encoding, { attention_factor: 1 });
