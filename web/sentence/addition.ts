// What an encoding contributes: a table, rotation angles, a bias or nothing.

import { encodingDescriptions } from '../encodings/description.ts';
import type { EncodingInfo, Params, RemotePhasor, Tensor } from '../engine/index.ts';
import { paramOf } from '../figure/parameters.ts';

export type Addition =
  | { readonly kind: 'none' }
  /** [places, channels], added to the first channels of the embeddings; with its waves, when it consists of sinusoids. */
  | { readonly kind: 'table'; readonly tensor: Tensor; readonly waves: Waves | undefined }
  /** [places, pairs], radians. */
  | { readonly kind: 'angles'; readonly tensor: Tensor; readonly waves: Waves | undefined }
  /** [1, places, places], added to the scores of the head shown. */
  | { readonly kind: 'bias'; readonly tensor: Tensor };

/** Sinusoids or rotations: their phase is linear in the position. */
export interface Waves {
  /** Radians per position, one per wave. */
  readonly frequencies: Float32Array;
  /** [places, waves], unwrapped phases in radians. */
  readonly angles: Float32Array;
  /** For each wave the indices of its columns. */
  readonly columns: readonly (readonly number[])[];
}

/** For encodings that enter at the scores, attention itself returns the bias (`want: ['bias']`). */
export const addsToScores = ({ injection }: EncodingInfo): boolean =>
  injection === 'score' || injection === 'score_content' || injection === 'key_value';

interface Placing {
  readonly params: Params;
  readonly offset: number;
  readonly width: number;
  readonly heads: number;
}
type Source = Pick<RemotePhasor, 'table' | 'angles'>;

/** A step so short that no phase advances by more than π. */
const SHORT = 1 / 64;
const SAMPLES = [0, SHORT, 1];
const TWO_PI = 2 * Math.PI;
const wrapToPi = (angle: number): number => angle - TWO_PI * Math.round(angle / TWO_PI);

/** The rows of a table starting at `first`. */
function rowsFrom(first: number, { shape, data }: Tensor): Tensor {
  const [rows = 0, columns = 0] = shape;
  return { shape: [rows - first, columns], data: data.subarray(first * columns) };
}

/**
 * The waves of a table whose first three rows are samples at the positions SAMPLES: the short step determines each frequency roughly but
 * without aliasing, the step of 1 determines it precisely.
 */
function tableWaves(
  { shape, data }: Tensor,
  pairs: readonly (readonly [number, number])[],
  places: { readonly first: number; readonly count: number },
): Waves {
  const columns = shape[1] as number;
  const angle = (row: number, [sine, cosine]: readonly [number, number]): number =>
    Math.atan2(data[row * columns + sine] as number, data[row * columns + cosine] as number);
  const frequencies = Float32Array.from(pairs, (pair) => {
    const rough = wrapToPi(angle(1, pair) - angle(0, pair)) / SHORT;
    const part = angle(2, pair) - angle(0, pair);
    return part + TWO_PI * Math.round((rough - part) / TWO_PI);
  });
  const angles = new Float32Array(places.count * pairs.length);
  for (const [wave, pair] of pairs.entries()) {
    const start = angle(0, pair);
    for (let place = 0; place < places.count; place++)
      angles[place * pairs.length + wave] = start + (places.first + place) * (frequencies[wave] as number);
  }
  return { frequencies, angles, columns: pairs };
}

/** The contribution of a setting's encoding for a sentence of the given length. A bias comes with the attention, see computeFigure. */
export async function addition(setting: Placing, encoding: EncodingInfo, length: number, phasor: Source): Promise<Addition> {
  const { id, injection, axes } = encoding;
  const { offset, width, heads } = setting;
  // A single call: the rows from which the waves are determined precede those of the words.
  const after = (samples: readonly number[]): number[] => [...samples, ...Array.from({ length }, (_, place) => offset + place)];
  if (injection === 'input') {
    const request = { encoding: { ...setting.params, id }, width };
    const pairsOf = encodingDescriptions[id]?.pairs;
    if (!pairsOf) return { kind: 'table', tensor: await phasor.table({ ...request, length, offset }), waves: undefined };
    const rows = await phasor.table({ ...request, positions: after(SAMPLES) });
    const pairs = pairsOf(rows.shape[1] as number, paramOf(setting.params, encoding));
    const waves = tableWaves(rows, pairs, { first: offset, count: length });
    return { kind: 'table', tensor: rowsFrom(SAMPLES.length, rows), waves };
  }
  if (injection === 'query_key') {
    const request = { encoding: { ...setting.params, id }, width: width / heads };
    // Angles are position times frequency, but not for positions that stand for several coordinates.
    if (axes > 1) return { kind: 'angles', tensor: await phasor.angles({ ...request, length, offset }), waves: undefined };
    const rows = await phasor.angles({ ...request, positions: after([1]) });
    const tensor = rowsFrom(1, rows);
    const frequencies = rows.data.subarray(0, rows.shape[1]);
    const columns = Array.from(frequencies, (_, pair) => [pair]);
    return { kind: 'angles', tensor, waves: { frequencies, angles: tensor.data, columns } };
  }
  return { kind: 'none' };
}

/** The wave that a column of the addition belongs to. */
export function waveAt({ columns }: Waves, column: number | undefined): number | undefined {
  const wave = columns.findIndex((own) => column !== undefined && own.includes(column));
  return wave < 0 ? undefined : wave;
}
