// Maps the channels of one encoding to those of another that pairs channels in a different order.

import { entryAt } from '../../charts/entry-at.ts';
import { rotationMatrix, sinusoids } from '../../engine/analysis.ts';
import type { EncodingSpec } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';
import { detectPairing, pairChannels } from './rotation.ts';

type EncodingObject = Exclude<EncodingSpec, string>;

/** Returns the channels of all pairs as a flat list, with -1 for an omitted channel. The list is empty if the encoding has no pairs. */
async function findPairChannels(encoding: EncodingObject, width: number, engine: Engine): Promise<readonly number[]> {
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  if (info?.injection === 'input') {
    const { sine, cosine } = await sinusoids(engine, { encoding, dim: width });
    return Array.from(sine.data).flatMap((channel, wave) => [channel, entryAt(cosine.data, wave)]);
  }
  if (!info?.rotates) return [];
  const { shape } = await engine.rotaryAngles({ encoding, length: 1, dim: width });
  const pairs = entryAt(shape, 1);
  const pairing = detectPairing(await rotationMatrix(engine, { encoding, position: 1, dim: width }), width, pairs);
  return pairing ? pairChannels(pairing, pairs).flat() : [];
}

/**
 * For each channel of `b`, returns the corresponding channel of `a`. Returns undefined if the encodings have different numbers of pairs, or
 * none.
 */
export async function mapChannels(
  a: EncodingObject,
  b: EncodingObject,
  width: number,
  engine: Engine,
): Promise<readonly number[] | undefined> {
  const [channelsOfA, channelsOfB] = [await findPairChannels(a, width, engine), await findPairChannels(b, width, engine)];
  if (channelsOfA.length === 0 || channelsOfA.length !== channelsOfB.length) return undefined;
  const channelInA = new Map(channelsOfB.map((channel, index) => [channel, entryAt(channelsOfA, index)]));
  // Unpaired channels keep their order.
  const unpairedChannels = Array.from({ length: width }, (_, channel) => channel).filter((channel) => !channelsOfA.includes(channel));
  return Array.from({ length: width }, (_, channel) => channelInA.get(channel) ?? (unpairedChannels.shift() as number));
}
