// The second file of phasor/figure, for what nobody sees before asking for it: what kinds answer as `code`, programs in NumPy, PyTorch and JavaScript,
// how files of readers are read, and which channel is which in another layout. Nothing else of a kind is in it (scripts/vite/later-programs.mjs).
import type { SourceCode } from '../figure/kind.ts';
import { kinds } from '../figure/registry.ts';

export { channelOrder } from '../figure/channel-order.ts';
export { readFile } from '../figure/files/read-file.ts';
export { codeFiles } from '../figure/take-away/code-files.ts';
export { npyFile } from '../figure/take-away/npy-file.ts';

/** By the id of a kind. */
export const programs: { readonly [id: string]: (...args: never) => SourceCode } = Object.fromEntries(
  Object.values(kinds).map(({ id, code }) => [id, code]),
);
