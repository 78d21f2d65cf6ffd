// The component of the position that each pair of M-RoPE encodes: time, row or column. Measured: the angle of the pair grows with
// that component only.
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';
import { usedEncoding } from '../../contract/parameters.ts';

/** One step in time, one row down, one column to the right. */
const STEPS = { shape: [3, 3], data: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) };

/** @returns [pairs] 0 time, 1 row, 2 column, −1 for a pair without rotation; undefined if tokens have one position */
export async function pairAxes(encoding: EncodingSpec, width: number, engine: Engine): Promise<readonly number[] | undefined> {
  if (encoding.id !== 'mrope') return undefined;
  const { data } = await engine.rotaryAngles({ encoding: usedEncoding(encoding, engine.encodings), positions: STEPS, dim: width });
  const pairs = data.length / 3;
  return Array.from({ length: pairs }, (_, pair) => [0, 1, 2].findIndex((axis) => data[axis * pairs + pair] !== 0));
}
