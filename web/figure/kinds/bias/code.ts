// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { biasCode } from '../../export/bias-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { numpy, pytorch, phasor } = biasCode(spec, encodings);
  const head = headIndex(spec);
  const { length } = spec;
  return {
    numpy: `${numpy}matrix = biases[${head}]\n`,
    pytorch: `${pytorch}matrix = biases[${head}]\n`,
    phasor: `${phasor}const size = ${length} * ${length};
const matrix = { shape: [${length}, ${length}], data: biases.data.slice(${head} * size, ${head + 1} * size) };
`,
  };
}
