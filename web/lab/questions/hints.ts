// Hints about where to look in a large figure, defined in kinds/<kind>/hint.ts.
import type { EncodingInfo } from '../../engine/index.ts';
import type { HintFunction, HintSettings } from '../../figure/contract/hint.ts';
import { parseKindId } from '../../figure/contract/registry.ts';
import { getEncodingNoun } from '../nouns.ts';

export interface Hints {
  readonly [kind: string]: HintFunction;
}

/** Maps each kind of figure to the hint function in its module kinds/<kind>/hint.ts. */
export const collectHints = (files: { readonly [path: string]: HintFunction }): Hints =>
  Object.fromEntries(Object.entries(files).map(([path, hint]) => [parseKindId(path), hint]));

export const HINTS: Hints = collectHints(import.meta.glob<HintFunction>('../../figure/kinds/*/hint.ts', { eager: true, import: 'hint' }));

/** Returns the hint for a kind of figure; '' if it has none. */
export const getHint = (kind: string, encoding: EncodingInfo, settings: HintSettings, hints = HINTS): string =>
  hints[kind]?.({ encodingNoun: getEncodingNoun(encoding.id), encoding, settings }) ?? '';
