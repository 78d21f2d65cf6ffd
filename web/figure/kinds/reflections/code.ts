import { entryAt } from '../../../charts/entry-at.ts';
import type { EncodingInfo, Tensor } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { shortestDecimal } from '../../export/csv.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';

const formatRows = ({ shape: [rows = 0], data }: Tensor): string =>
  `[${Array.from({ length: rows }, (_, row) => `[${shortestDecimal(entryAt(data, 2 * row))}, ${shortestDecimal(entryAt(data, 2 * row + 1))}]`).join(', ')}]`;

export function code({ beta }: Spec, _: readonly EncodingInfo[], results?: { readonly directions: Tensor }): SourceCode {
  const count = results?.directions.shape[0] ?? 0;
  const rows = results ? formatRows(results.directions) : '[]';
  return {
    ...pythonProgram({
      imports: ['from path import reflected_key'],
      values: { directions: pythonArray('directions', results?.directions) },
      lines: [`keys = reflected_key([0.6, 0.8], directions.reshape(-1, 2), ${beta})`],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
// A unit direction for each word after the key.
const directions = { shape: [${count}, 2], data: Float32Array.from(${rows}.flat()) };
const tokens = ${count + 1};
const repeat = (x, y) => Array.from({ length: tokens }, () => [x, y]).flat();
// The queries of head c are the unit vector e_c, so the scores of head c are channel c of the keys.
const { scores } = phasor.attention({
  q: { shape: [2, tokens, 2], data: [...repeat(1, 0), ...repeat(0, 1)] },
  k: { shape: [1, tokens, 2], data: repeat(0.6, 0.8) },
  v: { shape: [1, tokens, 2], data: repeat(0.6, 0.8) },
  mask: 'causal',
  encoding: { id: 'path', normalise_w: false },
  tokenTensors: {
    w: { shape: [1, tokens, 2], data: [1, 0, ...directions.data] },
    beta: { shape: [1, tokens], data: new Float32Array(tokens).fill(${beta}) },
  },
  scale: 1,
  outputs: ['scores'],
});
const channels = [0, 1].map((head) => Array.from({ length: tokens }, (_, row) => scores.data[(head * tokens + row) * tokens]));
const keys = { shape: [tokens, 2], data: Float32Array.from(channels[0].flatMap((x, row) => [x, channels[1][row]])) };
`,
  };
}
