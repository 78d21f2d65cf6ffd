import type { EncodingInfo } from '../../../../web/engine/index.ts';
import type { SourceCode } from '../../../../web/figure/contract/kind.ts';
import { encodingCode } from '../../../../web/figure/export/encoding-code.ts';
import type { Spec } from './index.ts';

export function code({ encoding, length, width, parity }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { numpy, pytorch, choice } = encodingCode(encoding, encodings);
  const first = parity === 'even' ? 0 : 1;
  const positions = `${first}, ${first + 2 * length}, 2`;
  return {
    numpy: `${numpy}
positions = np.arange(${positions}, dtype=np.float64)
table = encode(positions, ${width})
`,
    pytorch: `${pytorch}
positions = torch.arange(${positions}, dtype=torch.float64)
table = encode(positions, ${width})
`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const positions = Array.from({ length: ${length} }, (_, row) => ${first} + 2 * row);
const table = phasor.table({ encoding: ${choice}, width: ${width}, positions });
`,
  };
}
