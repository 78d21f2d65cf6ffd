// The programs of a figure, whose code is fetched on request.

import { messageOf } from '../../engine/errors.ts';
import type { EncodingInfo } from '../../engine/index.ts';
import type { SourceCode } from '../contract/kind.ts';
import type { AnyKind } from '../contract/registry.ts';
import { STRINGS } from '../contract/strings.ts';
import type { Computed } from '../runtime/controller.ts';

/** Rejects with one sentence: where their file cannot be had, or the kind has none for this spec. The next call tries again. */
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

/** Rejects with one sentence where the texts of the references cannot be had. */
export const fetchReferences = () =>
  import('./reference-files.ts').catch((thrown: unknown) => {
    throw new Error(STRINGS.noPrograms(messageOf(thrown)));
  });
