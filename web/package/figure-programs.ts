// The second file of phasor/figure, for what nobody sees before asking for it: what kinds answer as `code`, programs in NumPy, PyTorch and JavaScript,
// how files of readers are read, which channel is which in another layout, how requirements are measured, and what fields and parameters mean. Nothing else of
// a kind is in it (scripts/site/later-programs.mjs).
import { summaryWords } from '../engine/summary-words.ts';
import type { SourceCode } from '../figure/contract/kind.ts';
import { kinds } from '../figure/contract/registry.ts';

export { fieldHelp } from '../figure/controls/field-help.ts';
export { codeFiles } from '../figure/export/code-files.ts';
export { npyFile } from '../figure/export/npy-file.ts';
export { readFile } from '../figure/files/read-file.ts';
export { requirementNumbers } from '../figure/kinds/requirements/numbers.ts';
export { channelOrder } from '../figure/numbers/channel-order.ts';

/** What a parameter of an encoding means. */
export const parameterHelp = (encoding: string, parameter: string): string | undefined => summaryWords[encoding]?.[parameter];

/** By the id of a kind. */
export const programs: { readonly [id: string]: (...args: never) => SourceCode } = Object.fromEntries(
  Object.values(kinds).map(({ id, code }) => [id, code]),
);
