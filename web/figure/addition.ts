// What an encoding adds, as numbers: a table, angles, a bias or nothing.

import { encodingWords } from '../encodings/words.ts';
import type { EncodingInfo, RemotePhasor, Tensor } from '../engine/index.ts';
import { paramOf } from './parameters.ts';
import type { Setting } from './setting.ts';

export type Addition =
  | { readonly kind: 'none' }
  /** [places, channels], added to the first channels of the embeddings; its waves, where it is made of waves. */
  | { readonly kind: 'table'; readonly tensor: Tensor; readonly waves: Waves | undefined }
  /** [places, pairs], radians. */
  | { readonly kind: 'angles'; readonly tensor: Tensor; readonly waves: Waves | undefined }
  /** [1, places, places], added to the scores of the head shown. */
  | { readonly kind: 'bias'; readonly tensor: Tensor };

/** Things that turn with the position. */
export interface Waves {
  /** Radians per position, one per wave. */
  readonly frequencies: Float32Array;
  /** [places, waves], how far each has turned, radians; whole turns are counted. */
  readonly angles: Float32Array;
  /** For each wave the columns it belongs to. */
  readonly columns: readonly (readonly number[])[];
}

/** Encodings that enter at the scores say themselves what they added, in `want: ['bias']`. */
export const addsToScores = ({ injection }: EncodingInfo): boolean =>
  injection === 'score' || injection === 'score_content' || injection === 'key_value';

/** A step so short that no wave in use makes half a turn in it. */
const SHORT = 1 / 64;
const SAMPLES = [0, SHORT, 1];
const TURN = 2 * Math.PI;
const withinHalfTurn = (angle: number): number => angle - TURN * Math.round(angle / TURN);

/** The rows of a table from one on. */
function rowsFrom(first: number, { shape, data }: Tensor): Tensor {
  const [rows = 0, columns = 0] = shape;
  return { shape: [rows - first, columns], data: data.subarray(first * columns) };
}

/**
 * The waves of a table that begins with three rows of samples: at 0, a short step further, which tells how often a wave turns in a
 * step of 1, and at 1, which tells its frequency exactly.
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
    const rough = withinHalfTurn(angle(1, pair) - angle(0, pair)) / SHORT;
    const part = angle(2, pair) - angle(0, pair);
    return part + TURN * Math.round((rough - part) / TURN);
  });
  const angles = new Float32Array(places.count * pairs.length);
  for (const [wave, pair] of pairs.entries()) {
    const start = angle(0, pair);
    for (let place = 0; place < places.count; place++)
      angles[place * pairs.length + wave] = start + (places.first + place) * (frequencies[wave] as number);
  }
  return { frequencies, angles, columns: pairs };
}

/** What the encoding of a setting adds to a sentence of some length. A bias comes with the attention itself, see computeFigure. */
export async function addition(setting: Setting, encoding: EncodingInfo, length: number, phasor: RemotePhasor): Promise<Addition> {
  const { id, injection, axes } = encoding;
  const { offset, width, heads } = setting;
  // One question to the core a figure: the rows that tell the waves stand before those of the words.
  const after = (samples: readonly number[]): number[] => [...samples, ...Array.from({ length }, (_, place) => offset + place)];
  if (injection === 'input') {
    const request = { ...setting.params, encoding: id, width };
    const pairsOf = encodingWords[id]?.pairs;
    if (!pairsOf) return { kind: 'table', tensor: await phasor.table({ ...request, length, offset }), waves: undefined };
    const rows = await phasor.table({ ...request, positions: after(SAMPLES) });
    const pairs = pairsOf(rows.shape[1] as number, paramOf(setting.params, encoding));
    const waves = tableWaves(rows, pairs, { first: offset, count: length });
    return { kind: 'table', tensor: rowsFrom(SAMPLES.length, rows), waves };
  }
  if (injection === 'query_key') {
    const request = { ...setting.params, encoding: id, width: width / heads };
    // The core computes angles as position times frequency. Where a position stands for several coordinates, no pair turns evenly.
    if (axes > 1) return { kind: 'angles', tensor: await phasor.angles({ ...request, length, offset }), waves: undefined };
    const rows = await phasor.angles({ ...request, positions: after([1]) });
    const tensor = rowsFrom(1, rows);
    const frequencies = rows.data.subarray(0, rows.shape[1]);
    const columns = Array.from(frequencies, (_, pair) => [pair]);
    return { kind: 'angles', tensor, waves: { frequencies, angles: tensor.data, columns } };
  }
  return { kind: 'none' };
}
