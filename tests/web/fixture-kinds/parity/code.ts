import type { EncodingInfo } from '../../../../web/engine/index.ts';
import type { SourceCode } from '../../../../web/figure/contract/kind.ts';
import { tableCode } from '../../../../web/figure/export/table-code.ts';
import type { Spec } from './index.ts';

export const code = ({ encoding, length, width }: Spec, encodings: readonly EncodingInfo[]): SourceCode =>
  tableCode({ encoding, length, width, offset: 0 }, encodings);
