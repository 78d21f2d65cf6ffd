// Computes what an encoding adds to a sentence: a table, rotation angles, a bias or nothing.

import { entryAt } from '../charts/entry-at.ts';
import type { CALL } from '../engine/call/call-key.ts';
import type { Sinusoids as CoreWaves, DynamicId, EncodingInfo, Params, RemotePhasor, Tensor } from '../engine/index.ts';
import { findSinusoids } from './waves-in.ts';

export type Addition =
  | { readonly kind: 'none' }
  /** [positions, channels], added to the first channels of the embeddings. `waves` is undefined if the table has no sinusoids. */
  | { readonly kind: 'table'; readonly tensor: Tensor; readonly waves: Waves | undefined }
  /** [positions, pairs], radians. */
  | { readonly kind: 'angles'; readonly tensor: Tensor; readonly waves: Waves | undefined }
  /** [1, positions, positions], added to the scores of the selected head. */
  | { readonly kind: 'bias'; readonly tensor: Tensor };

/** Sinusoids or rotations, whose phase is a linear function of the position. */
export interface Waves {
  /** The frequency of each wave, in radians per position. */
  readonly frequencies: Float32Array;
  /** The unwrapped phases in radians: [positions, waves]. */
  readonly angles: Float32Array;
  /** The columns of the tensor that belong to each wave. */
  readonly columns: readonly (readonly number[])[];
}

/** Whether an encoding adds to the scores. If so, attention can return the bias (`outputs: ['bias']`). */
export const addsToScores = ({ injection }: EncodingInfo): boolean =>
  injection === 'score' || injection === 'score_content' || injection === 'key_value';

interface AdditionSettings {
  readonly params: Params;
  readonly positionOffset: number;
  readonly dim: number;
  readonly heads: number;
}
type EngineMethods = Pick<RemotePhasor, 'encodings' | 'positionTable' | 'rotaryAngles' | typeof CALL>;

/** Returns the waves of a table that have both a sine and a cosine, or undefined if there are none. `data` is the row of position 0. */
function findTableWaves(
  coreWaves: CoreWaves,
  { data }: Tensor,
  range: { readonly first: number; readonly count: number },
): Waves | undefined {
  const pairedWaves = Array.from(coreWaves.cosine.data, (_, wave) => wave).filter((wave) => entryAt(coreWaves.cosine.data, wave) >= 0);
  if (pairedWaves.length === 0) return undefined;
  const columns = pairedWaves.map((wave) => [entryAt(coreWaves.sine.data, wave), entryAt(coreWaves.cosine.data, wave)] as const);
  const frequencies = Float32Array.from(pairedWaves, (wave) => entryAt(coreWaves.frequency.data, wave));
  const angles = new Float32Array(range.count * columns.length);
  for (const [wave, [sine, cosine]] of columns.entries()) {
    const startPhase = Math.atan2(entryAt(data, sine), entryAt(data, cosine));
    for (let position = 0; position < range.count; position++)
      angles[position * columns.length + wave] = startPhase + (range.first + position) * entryAt(frequencies, wave);
  }
  return { frequencies, angles, columns };
}

/**
 * Computes what the encoding adds to a sentence of this length. Biases are not computed here, but together with attention (computeFigure).
 */
export async function computeAddition(
  settings: AdditionSettings,
  encoding: EncodingInfo,
  length: number,
  phasor: EngineMethods,
): Promise<Addition> {
  const { id, injection, axes } = encoding;
  const { positionOffset, dim, heads } = settings;
  if (injection === 'input') {
    const request = { encoding: { ...settings.params, id: id as DynamicId }, dim };
    const table = phasor.positionTable({ ...request, length, positionOffset });
    // Positions with several coordinates have no single phase.
    if (axes > 1) return { kind: 'table', tensor: await table, waves: undefined };
    // All requests are sent at the same time. Otherwise a slider would wait for each response in turn.
    const [tensor, coreWaves, firstRow] = await Promise.all([
      table,
      findSinusoids(request, phasor),
      phasor.positionTable({ ...request, positions: [0] }),
    ]);
    return { kind: 'table', tensor, waves: coreWaves && findTableWaves(coreWaves, firstRow, { first: positionOffset, count: length }) };
  }
  if (encoding.rotates) {
    const request = { encoding: { ...settings.params, id: id as DynamicId }, dim: dim / heads };
    // Angles are the product of position and frequency, except for positions with several coordinates.
    if (axes > 1) return { kind: 'angles', tensor: await phasor.rotaryAngles({ ...request, length, positionOffset }), waves: undefined };
    const [tensor, { data: frequencies }] = await Promise.all([
      phasor.rotaryAngles({ ...request, length, positionOffset }),
      phasor.rotaryAngles({ ...request, positions: [1] }),
    ]);
    const columns = Array.from(frequencies, (_, pair) => [pair]);
    return { kind: 'angles', tensor, waves: { frequencies, angles: tensor.data, columns } };
  }
  return { kind: 'none' };
}

/** Returns the index of the wave that contains a column of the tensor, or undefined if there is none. */
export function findWaveIndex({ columns }: Waves, column: number | undefined): number | undefined {
  const wave = columns.findIndex((waveColumns) => column !== undefined && waveColumns.includes(column));
  return wave < 0 ? undefined : wave;
}
