// The correspondence of channels of two encodings: the same pairs, stored in another order.

import { entryAt } from '../../charts/entry-at.ts';
import { rotationMatrix, sinusoids } from '../../engine/analysis.ts';
import type { EncodingSpec } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';
import { pairChannels, pairingOf } from './rotation.ts';

type Choice = Exclude<EncodingSpec, string>;

/** The channels of each pair, from pair 0 on; -1 for an omitted channel. Empty if the encoding has no pairs. */
async function paired(encoding: Choice, width: number, engine: Engine): Promise<readonly number[]> {
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  if (info?.injection === 'input') {
    const { sine, cosine } = await sinusoids(engine, { encoding, dim: width });
    return Array.from(sine.data).flatMap((channel, wave) => [channel, entryAt(cosine.data, wave)]);
  }
  if (!info?.rotates) return [];
  const { shape } = await engine.rotaryAngles({ encoding, length: 1, dim: width });
  const pairs = entryAt(shape, 1);
  const pairing = pairingOf(await rotationMatrix(engine, { encoding, position: 1, dim: width }), width, pairs);
  return pairing ? pairChannels(pairing, pairs).flat() : [];
}

/** For each channel of b the corresponding channel of a; undefined if the two have different numbers of pairs. */
export async function channelOrder(a: Choice, b: Choice, width: number, engine: Engine): Promise<readonly number[] | undefined> {
  const [inA, inB] = [await paired(a, width, engine), await paired(b, width, engine)];
  if (inA.length === 0 || inA.length !== inB.length) return undefined;
  const partner = new Map(inB.map((channel, at) => [channel, entryAt(inA, at)]));
  // Channels that belong to no pair keep their order.
  const rest = Array.from({ length: width }, (_, channel) => channel).filter((channel) => !inA.includes(channel));
  return Array.from({ length: width }, (_, channel) => partner.get(channel) ?? (rest.shift() as number));
}
