// The figure as programs.
import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { frequencyCode } from '../../export/frequency-code.ts';
import type { Model, Spec } from './index.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], model?: Model): SourceCode {
  return frequencyCode(spec.encoding, encodings, model);
}
