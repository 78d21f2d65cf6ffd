import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';

export function code({ encoding, length, dim }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  return {
    ...pythonProgram({
      imports: ['from rope_analysis import visible_distances'],
      values: { encoding: createEncodingCall(encoding, encodings, { headDim: dim }) },
      lines: [`distances = visible_distances(encoding, ${length})`],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${formatJsEncoding(encoding)};
const [length, dim] = [${length}, ${dim}];
const positions = Array.from({ length }, (_, position) => position);
const allDistances = phasor.ropeDistances({ encoding, dim, queryPositions: positions, keyPositions: positions });
const ones = { shape: [1, length, dim], data: new Float32Array(length * dim).fill(1) };
const v = { shape: [1, length, 1], data: new Float32Array(length) };
const { scores } = phasor.attention({ q: ones, k: ones, v, encoding, mask: 'causal', scale: 1 / dim, outputs: ['scores'] });
const distances = { shape: allDistances.shape, data: allDistances.data.map((distance, at) => (scores.data[at] === -Infinity ? NaN : distance)) };
`,
  };
}
