import type { EncodingInfo } from '../../../engine/index.ts';
import { splitChannels, type TableWaves } from '../../compute/table-waves.ts';
import { encodingSpec } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { COLUMNS_JS, tableCode } from '../../export/table-code.ts';
import { countDigits } from './digits.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: { readonly sinusoids: TableWaves }): SourceCode {
  const { length, positionOffset } = spec;
  const { values, lines, phasor } = tableCode(spec, encodings);
  const digitCount = countDigits(length, positionOffset);
  const channelIndices = results ? splitChannels(results.sinusoids) : { sine: [], cosine: [] };
  const [sine, cosine] = [channelIndices.sine, channelIndices.cosine].map((channels) => `[${channels.join(', ')}]`);
  return {
    ...pythonProgram({
      values: { ...values, binary: createEncodingCall(encodingSpec('binary', { order: 'lsb_first' }), encodings, {}) },
      lines: [
        ...lines,
        `sine, cosine = table[:, ${sine}], table[:, ${cosine}]`,
        `digits = binary.position_table(np.arange(${positionOffset}, ${positionOffset + length}), ${digitCount})`,
      ],
    }),
    phasor: `${phasor}${COLUMNS_JS}const sine = columns(table, ${sine});
const cosine = columns(table, ${cosine});
const digits = phasor.positionTable({ encoding: { id: 'binary', order: 'lsb_first' }, length: ${length}, dim: ${digitCount}, positionOffset: ${positionOffset} });
`,
  };
}
