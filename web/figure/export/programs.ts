// The programs of a figure. The module that writes the programs of a kind is loaded on request.

import { messageOf } from '../../engine/errors.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { SourceCode } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { STRINGS } from '../contract/strings.ts';
import type { Computed } from '../runtime/controller.ts';

/** Rejects with one sentence if the code cannot be loaded or the kind has no program for this spec. The next call retries. */
export async function programsOf(
  kind: AnyKind,
  spec: Computed['spec'],
  encodings: readonly EncodingInfo[],
  numbers: unknown,
): Promise<SourceCode> {
  const { code } = await kind.code().catch((thrown: unknown) => {
    throw new Error(STRINGS.noPrograms(messageOf(thrown)));
  });
  return code(spec, encodings, numbers);
}

/** Rejects with one sentence if the reference programs cannot be loaded. */
export const fetchReferences = () =>
  import('./reference-files.ts').catch((thrown: unknown) => {
    throw new Error(STRINGS.noPrograms(messageOf(thrown)));
  });
