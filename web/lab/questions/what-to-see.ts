// What to look for in a large figure, as its kind says it in kinds/<kind>/see.ts.
import type { EncodingInfo } from '../../engine/index.ts';
import { folderOf } from '../../figure/contract/kind-source.ts';
import type { See, Setting } from '../../figure/contract/what-to-see.ts';
import { nounOf } from '../nouns.ts';

export interface Sentences {
  readonly [kind: string]: See;
}

/** Sentences by kind, of modules kinds/<kind>/see.ts. */
export const sentencesOf = (files: { readonly [path: string]: { readonly see: See } }): Sentences =>
  Object.fromEntries(Object.entries(files).map(([path, { see }]) => [folderOf(path), see]));

export const SENTENCES: Sentences = sentencesOf(import.meta.glob<{ see: See }>('../../figure/kinds/*/see.ts', { eager: true }));

/** '' of a kind that says nothing. */
export const whatToSee = (kind: string, encoding: EncodingInfo, setting: Setting, sentences = SENTENCES): string =>
  sentences[kind]?.({ noun: nounOf(encoding.id), encoding, setting }) ?? '';
