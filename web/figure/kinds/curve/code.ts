// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { biasCode } from '../../export/bias-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { numpy, pytorch, phasor } = biasCode(spec, encodings);
  const { heads, length } = spec;
  const query = Math.floor(length / 2);
  return {
    numpy: `${numpy}curves = biases[:, ${query}]\n`,
    pytorch: `${pytorch}curves = biases[:, ${query}]\n`,
    phasor: `${phasor}const rows = Array.from({ length: ${heads} }, (_, head) => {
  const start = (head * ${length} + ${query}) * ${length};
  return [...biases.data.slice(start, start + ${length})];
});
const curves = { shape: [${heads}, ${length}], data: Float32Array.from(rows.flat()) };
`,
  };
}
