import type { EncodingInfo } from '../../../engine/index.ts';
import { clampHeadIndex } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { generateBiasCode } from '../../export/bias-code.ts';
import { pythonProgram } from '../../export/python-program.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { values, lines, phasor } = generateBiasCode(spec, encodings);
  const head = clampHeadIndex(spec);
  const { length } = spec;
  return {
    ...pythonProgram({ values, lines: [...lines, `matrix = biases[${head}]`] }),
    phasor: `${phasor}const size = ${length} * ${length};
const matrix = { shape: [${length}, ${length}], data: biases.data.slice(${head} * size, ${head + 1} * size) };
`,
  };
}
