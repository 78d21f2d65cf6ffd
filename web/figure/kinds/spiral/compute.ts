// Computes the angle of every pair at every position, and the similarity between positions in the displayed pairs.
import { entryAt } from '../../../charts/entry-at.ts';
import { rotationMatrix, similarity } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import { computeRotaryProof, type RotaryProof } from '../../compute/rotary-proof.ts';
import { detectPairing, pairChannels } from '../../compute/rotation.ts';
import { selectColumns } from '../../compute/table-rows.ts';
import type { Engine } from '../../contract/kind.ts';
import { createParamReader, withUsedParams } from '../../contract/parameters.ts';
import type { Spec } from './fields.ts';

export interface Spiral extends RotaryProof {
  /** [positions, pairs]: rotation at each position, radians. */
  readonly angles: Tensor;
  /**
   * [positions, positions]: cosine similarity between copies of a vector of ones rotated to each position, over the
   * displayed pairs.
   */
  readonly similarity: Tensor;
  /** [pairs]: rotation per position, radians. */
  readonly invFreq: Float32Array;
  /** The displayed pair, if only one pair is displayed. */
  readonly pair: number;
  readonly channels: readonly number[];
  readonly startTokens: number;
}

export async function computeSpiral(
  { encoding, dim, length, positionOffset, show, pair: chosenPair }: Spec,
  engine: Engine,
): Promise<Spiral> {
  const resolvedEncoding = withUsedParams(encoding, engine.encodings);
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  const paramValue = info ? createParamReader(encoding as never, info) : () => undefined;
  const positions = Array.from({ length }, (_, index) => positionOffset + index);
  const angles = await engine.rotaryAngles({ encoding: resolvedEncoding, positions, dim });
  const { invFreq } = await engine.ropeFrequencies({ encoding: resolvedEncoding, dim });
  const pairs = entryAt(angles.shape, 1);
  const pair = Math.min(chosenPair, pairs - 1);

  const matrix = await rotationMatrix(engine, { encoding: resolvedEncoding, position: 1, dim });
  const channelPairing = detectPairing(matrix, dim, pairs) ?? (paramValue('layout') === 'half_split' ? 'half_split' : 'interleaved');
  // In both layouts, the rotated channels are the first channels.
  const channels =
    show === 'all_pairs' ? Array.from({ length: 2 * pairs }, (_, channel) => channel) : entryAt(pairChannels(channelPairing, pairs), pair);
  const ones = { shape: [1, length, dim], data: new Float32Array(length * dim).fill(1) };
  const { data } = await engine.applyRotary(ones, { encoding: resolvedEncoding, positions });
  const rotated = { shape: [length, dim], data };
  const similarities = await similarity(engine, { table: selectColumns(rotated, channels) });

  const vectors: Tensor = await engine.randomNormal({ seed: 1, shape: [2, dim] });
  const vectorRow = (index: 0 | 1): Tensor => ({ shape: [1, dim], data: vectors.data.slice(index * dim, (index + 1) * dim) });
  const endsRequest = { encoding: resolvedEncoding, positions: [positionOffset, positionOffset + length - 1] };
  const rotatedEnds = await engine.applyRotary({ shape: [1, 2, dim], data: vectors.data }, endsRequest);
  return {
    ...(await computeRotaryProof(
      engine,
      { encoding: resolvedEncoding, q: vectorRow(0), k: vectorRow(1), positions },
      { shape: [2, dim], data: rotatedEnds.data },
    )),
    angles,
    similarity: similarities,
    invFreq: invFreq.data,
    pair,
    channels,
    startTokens: paramValue('scaling') === 'none' ? 0 : Number(paramValue('start_tokens') ?? 0),
  };
}
