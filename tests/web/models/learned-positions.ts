// Embeddings with a learned vector per position: GPT-2, BERT, OPT.

import type { ConfigEncoding, Positions, Tensor } from '../../../web/engine/types/api.ts';
import type { AnyPhasor } from '../contract-checks.ts';
import { fromTensor, type Matrix, toTensor } from './matrix.ts';

/** x with a row of the table [rows, dim] added for each token. */
export async function addPositions(
  phasor: AnyPhasor,
  x: Matrix,
  encoding: ConfigEncoding['encoding'],
  table: Tensor,
  positions: Positions,
): Promise<Matrix> {
  const [, width = 0] = table.shape;
  const rows = await phasor.positionTable({ encoding: { ...encoding, table }, dim: width, positions });
  return fromTensor(await phasor.combine({ x: toTensor(x), table: rows }));
}
