// The second file of phasor/figure: what kinds answer as `code`, programs in NumPy, PyTorch and JavaScript. Nothing else of a kind is in it
// (scripts/vite/later-programs.mjs).
import type { SourceCode } from '../figure/kind.ts';
import { kinds } from '../figure/registry.ts';

/** By the id of a kind. */
export const programs: { readonly [id: string]: (...args: never) => SourceCode } = Object.fromEntries(
  Object.values(kinds).map(({ id, code }) => [id, code]),
);
