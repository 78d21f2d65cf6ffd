// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { COLUMNS_JS, tableCode } from '../../export/table-code.ts';
import type { Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: { readonly channels: readonly number[] }): SourceCode {
  const { numpy, pytorch, phasor } = tableCode(spec, encodings);
  const list = `[${(numbers?.channels ?? spec.channels).join(', ')}]`;
  return {
    numpy: `${numpy}waves = table[:, ${list}]\n`,
    pytorch: `${pytorch}waves = table[:, ${list}]\n`,
    phasor: `${phasor}${COLUMNS_JS}const waves = columns(table, ${list});\n`,
  };
}
