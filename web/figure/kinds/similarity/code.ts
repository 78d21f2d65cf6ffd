// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import { similarityCode } from '../../compute/table-similarity.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import type { Spec } from './index.ts';

export function code({ encoding, length, width, offset, measure }: Spec, encodings: readonly EncodingInfo[]): SourceCode {
  const { numpy, pytorch, choice } = encodingCode(encoding, encodings);
  const positions = `${offset}, ${offset + length}`;
  return {
    numpy: `${numpy}
positions = np.arange(${positions}, dtype=np.float64)
table = encode(positions, ${width})
${similarityCode(measure, 'numpy')}`,
    pytorch: `${pytorch}
positions = torch.arange(${positions}, dtype=torch.float64)
table = encode(positions, ${width})
${similarityCode(measure, 'pytorch')}`,
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const table = phasor.table({ encoding: ${choice}, length: ${length}, width: ${width}, offset: ${offset} });
const similarity = phasor.similarity({ table, measure: '${measure}' });
`,
  };
}
