// Finds the corresponding channels of two encodings that pair their channels in different orders.

import { entryAt } from '../../charts/entry-at.ts';
import { rotationMatrix, sinusoids } from '../../engine/analysis.ts';
import type { EncodingSpec } from '../../engine/index.ts';
import type { Engine } from '../contract/kind.ts';
import { detectPairing, pairChannels } from './rotation.ts';

type EncodingObject = Exclude<EncodingSpec, string>;

/** Lists the two channels of each pair. An omitted channel is -1. Returns an empty list if the encoding has no pairs. */
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
 * For each channel of `b`, returns the corresponding channel of `a`. Returns undefined if the encodings have different numbers of pairs.
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
  // Channels that are not in a pair stay in their original order.
  const unpairedChannels = Array.from({ length: width }, (_, channel) => channel).filter((channel) => !channelsOfA.includes(channel));
  return Array.from({ length: width }, (_, channel) => channelInA.get(channel) ?? (unpairedChannels.shift() as number));
}
