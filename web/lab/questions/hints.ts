// Hints about where to look in a large figure, from the hint.ts of each kind.
import type { EncodingInfo } from '../../engine/index.ts';
import type { Hint, HintSettings } from '../../figure/contract/hint.ts';
import { folderOf } from '../../figure/contract/registry.ts';
import { nounOf } from '../nouns.ts';

export interface Hints {
  readonly [kind: string]: Hint;
}

/** Hints by kind, from modules kinds/<kind>/hint.ts. */
export const hintsOf = (files: { readonly [path: string]: Hint }): Hints =>
  Object.fromEntries(Object.entries(files).map(([path, hint]) => [folderOf(path), hint]));

export const HINTS: Hints = hintsOf(import.meta.glob<Hint>('../../figure/kinds/*/hint.ts', { eager: true, import: 'hint' }));

/** The hint for a kind; '' for a kind without a hint. */
export const hintFor = (kind: string, encoding: EncodingInfo, setting: HintSettings, hints = HINTS): string =>
  hints[kind]?.({ noun: nounOf(encoding.id), encoding, setting }) ?? '';
