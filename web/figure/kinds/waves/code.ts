import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { COLUMNS_JS, tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: { readonly channels: readonly number[] }): SourceCode {
  const { values, lines, phasor } = tableCode(spec, encodings);
  const channelList = `[${(results?.channels ?? spec.channels).join(', ')}]`;
  return {
    ...pythonProgram({ values, lines: [...lines, `waves = table[:, ${channelList}]`] }),
    phasor: `${phasor}${COLUMNS_JS}const waves = columns(table, ${channelList});\n`,
  };
}
