// Loads the Python and JavaScript programs for a figure. Each kind of figure has a module that generates them.

import { messageOf } from '../../engine/errors.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { SourceCode } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { STRINGS } from '../contract/strings.ts';
import type { Computed } from '../runtime/controller.ts';

/** Rejects if the module cannot be loaded, or if it has no program for these field values. */
export async function programsOf(
  kind: AnyKind,
  spec: Computed['spec'],
  encodings: readonly EncodingInfo[],
  results: unknown,
): Promise<SourceCode> {
  const { code } = await kind.loadPrograms().catch((thrown: unknown) => {
    throw new Error(STRINGS.noPrograms(messageOf(thrown)));
  });
  return code(spec, encodings, results);
}

export const fetchReferences = () =>
  import('./reference-files.ts').catch((thrown: unknown) => {
    throw new Error(STRINGS.noPrograms(messageOf(thrown)));
  });
