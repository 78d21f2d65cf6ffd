import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { generateBiasCode } from '../../export/bias-code.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { values, lines, phasor } = generateBiasCode(spec, encodings);
  const { heads, length } = spec;
  const query = Math.floor(length / 2);
  return {
    ...pythonProgram({ values, lines: [...lines, `curves = biases[:, ${query}]`] }),
    phasor: `${phasor}const rows = Array.from({ length: ${heads} }, (_, head) => {
  const start = (head * ${length} + ${query}) * ${length};
  return [...biases.data.slice(start, start + ${length})];
});
const curves = { shape: [${heads}, ${length}], data: Float32Array.from(rows.flat()) };
`,
  };
}
