// The Python and JavaScript programs of a figure. Each kind has a module with its programs, loaded on request.

import { messageOf } from '../../engine/errors.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { SourceCode } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { STRINGS } from '../contract/strings.ts';
import type { Computed } from '../runtime/controller.ts';

/**
 * Rejects if the kind's module cannot be loaded or has no program for this spec. After a failed load, the next call
 * tries again.
 */
export async function programsOf(
  kind: AnyKind,
  spec: Computed['spec'],
  encodings: readonly EncodingInfo[],
  numbers: unknown,
): Promise<SourceCode> {
  const { code } = await kind.loadPrograms().catch((thrown: unknown) => {
    throw new Error(STRINGS.noPrograms(messageOf(thrown)));
  });
  return code(spec, encodings, numbers);
}

export const fetchReferences = () =>
  import('./reference-files.ts').catch((thrown: unknown) => {
    throw new Error(STRINGS.noPrograms(messageOf(thrown)));
  });
