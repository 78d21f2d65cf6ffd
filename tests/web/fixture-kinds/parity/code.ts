import type { EncodingInfo } from '../../../../web/engine/index.ts';
import type { SourceCode } from '../../../../web/figure/contract/kind.ts';
import { createEncodingCall } from '../../../../web/figure/export/encoding-call.ts';
import { formatJsEncoding } from '../../../../web/figure/export/encoding-choice.ts';
import { pythonProgram } from '../../../../web/figure/export/python-program.ts';
import type { Spec } from './index.ts';

export function code({ encoding, length, dim, parity }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const first = parity === 'even' ? 0 : 1;
  return {
    ...pythonProgram({
      values: { encoding: createEncodingCall(encoding, encodings, { embedDim: dim }) },
      lines: [`table = encoding.position_table(np.arange(${first}, ${first + 2 * length}, 2), ${dim})`],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const positions = Array.from({ length: ${length} }, (_, row) => ${first} + 2 * row);
const table = phasor.positionTable({ encoding: ${formatJsEncoding(encoding)}, dim: ${dim}, positions });
`,
  };
}
