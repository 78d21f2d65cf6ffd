// What an encoding adds, as numbers: a table, angles, a bias or nothing.

import { encodingWords } from '../encodings/words.ts';
import type { EncodingInfo, RemotePhasor, Tensor } from '../engine/index.ts';
import type { Setting } from './setting.ts';

export type Addition =
  | { readonly kind: 'none' }
  /** [places, width], added to the embeddings; its waves, where it is made of waves. */
  | { readonly kind: 'table'; readonly tensor: Tensor; readonly waves: Waves | undefined }
  /** [places, pairs], radians. */
  | { readonly kind: 'angles'; readonly tensor: Tensor; readonly waves: Waves }
  /** [heads, places, places], added to the scores. */
  | { readonly kind: 'bias'; readonly tensor: Tensor };

/** Things that turn with the position. */
export interface Waves {
  /** Radians per position, one per wave. */
  readonly frequencies: Float32Array;
  /** For each wave the columns it belongs to. */
  readonly columns: readonly (readonly number[])[];
}

/** Angles are those of position 1: the core computes them as position times frequency. */
async function angleWaves(request: { encoding: string; width: number }, phasor: RemotePhasor): Promise<Waves> {
  const { data } = await phasor.angles({ ...request, length: 1, offset: 1 });
  return { frequencies: data, columns: Array.from(data, (_, pair) => [pair]) };
}

async function tableWaves(request: { encoding: string; width: number }, layout: unknown, phasor: RemotePhasor): Promise<Waves | undefined> {
  const pairs = encodingWords[request.encoding]?.pairs?.(request.width, layout);
  if (!pairs) return undefined;
  const { data } = await phasor.table({ ...request, length: 1, offset: 1 });
  const frequencies = Float32Array.from(pairs, ([sine, cosine]) => Math.atan2(data[sine] as number, data[cosine] as number));
  return { frequencies, columns: pairs };
}

/** What the encoding of a setting adds to a sentence of some length. A bias comes with the attention itself, see computeFigure. */
export async function addition(
  setting: Setting,
  { id, injection, params }: EncodingInfo,
  length: number,
  phasor: RemotePhasor,
): Promise<Addition> {
  const { offset, width, heads } = setting;
  const layout = setting.params.layout ?? params.find(({ name }) => name === 'layout')?.default;
  if (injection === 'input') {
    const request = { ...setting.params, encoding: id, width };
    const [tensor, waves] = await Promise.all([phasor.table({ ...request, length, offset }), tableWaves(request, layout, phasor)]);
    return { kind: 'table', tensor, waves };
  }
  if (injection === 'query_key') {
    const request = { ...setting.params, encoding: id, width: width / heads };
    const [tensor, waves] = await Promise.all([phasor.angles({ ...request, length, offset }), angleWaves(request, phasor)]);
    return { kind: 'angles', tensor, waves };
  }
  return { kind: 'none' };
}
