// Finds the component of an M-RoPE position (time, row or column) that determines the angle of each pair.
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';

/** Three (time, row, column) positions, each one step from the origin along one axis. */
const UNIT_POSITIONS = { shape: [3, 3], data: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) };

/**
 * Returns the position component of each pair: 0 time, 1 row, 2 column, −1 for a pair without rotation. Undefined for
 * encodings other than M-RoPE.
 */
export async function findPairAxes(encoding: EncodingSpec, width: number, engine: Engine): Promise<readonly number[] | undefined> {
  if (encoding.id !== 'mrope') return undefined;
  const { data } = await engine.rotaryAngles({
    encoding: withUsedParams(encoding, engine.encodings),
    positions: UNIT_POSITIONS,
    dim: width,
  });
  const pairCount = data.length / 3;
  return Array.from({ length: pairCount }, (_, pair) => [0, 1, 2].findIndex((axis) => data[axis * pairCount + pair] !== 0));
}
