// What an encoding contributes: a table, rotation angles, a bias or nothing.

import type { Waves as CoreWaves, EncodingInfo, Params, RemotePhasor, Tensor } from '../engine/index.ts';

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
type Source = Pick<RemotePhasor, 'table' | 'angles' | 'waves'>;

/** The rows of a table starting at `first`. */
function rowsFrom(first: number, { shape, data }: Tensor): Tensor {
  const [rows = 0, columns = 0] = shape;
  return { shape: [rows - first, columns], data: data.subarray(first * columns) };
}

/** The sines and cosines that a table consists of; undefined where it consists of something else. */
async function wavesOf(request: Parameters<Source['waves']>[0], phasor: Source) {
  try {
    return await phasor.waves(request);
  } catch {
    return undefined;
  }
}

/** The waves of a table that have both a sine and a cosine. `start` is the row of position 0, where the hands begin. */
function tableWaves(
  { sine, cosine, frequency }: CoreWaves,
  start: Tensor,
  places: { readonly first: number; readonly count: number },
): Waves | undefined {
  const waves = Array.from(sine.data.keys()).filter((wave) => (cosine.data[wave] as number) >= 0);
  if (waves.length === 0) return undefined;
  const columns = waves.map((wave) => [sine.data[wave] as number, cosine.data[wave] as number] as const);
  const frequencies = Float32Array.from(waves, (wave) => frequency.data[wave] as number);
  const angles = new Float32Array(places.count * waves.length);
  for (const [wave, [up, across]] of columns.entries()) {
    const phase = Math.atan2(start.data[up] as number, start.data[across] as number);
    for (let place = 0; place < places.count; place++)
      angles[place * waves.length + wave] = phase + (places.first + place) * (frequencies[wave] as number);
  }
  return { frequencies, angles, columns };
}

/** The contribution of a setting's encoding for a sentence of the given length. A bias comes with the attention, see computeFigure. */
export async function addition(setting: Placing, encoding: EncodingInfo, length: number, phasor: Source): Promise<Addition> {
  const { id, injection, axes } = encoding;
  const { offset, width, heads } = setting;
  // A single call: the row that waves or frequencies are read from precedes those of the words.
  const after = (samples: readonly number[]): number[] => [...samples, ...Array.from({ length }, (_, place) => offset + place)];
  if (injection === 'input') {
    const request = { encoding: { ...setting.params, id }, width };
    // Of tables of several coordinates no phase is linear in the position.
    const found = axes > 1 ? undefined : await wavesOf(request, phasor);
    if (!found) return { kind: 'table', tensor: await phasor.table({ ...request, length, offset }), waves: undefined };
    const rows = await phasor.table({ ...request, positions: after([0]) });
    return { kind: 'table', tensor: rowsFrom(1, rows), waves: tableWaves(found, rows, { first: offset, count: length }) };
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
