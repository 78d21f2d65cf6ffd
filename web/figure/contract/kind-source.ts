// Where kinds come from: all at once in pages that are one file, each when a figure needs it elsewhere.

import { messageOf } from '../../engine/errors/thrown.ts';
import { WAIT } from '../../engine/load/compile.ts';
import type { AnyKind } from './registry.ts';
import { SpecError } from './spec.ts';
import { WORDS } from './strings.ts';

export interface KindSource {
  /** All there are, sorted. */
  readonly ids: readonly string[];
  /** A kind that is here; undefined for one that is unknown, or has to be loaded first. */
  get(id: string): AnyKind | undefined;
  /** Fetches a kind of these ids. Rejects when it cannot be had; the next call tries again. */
  load(id: string): Promise<AnyKind>;
}

/** The kind's name: 'attention' of '../kinds/attention/index.ts'. */
export const folderOf = (path: string): string => path.split('/').at(-2) as string;

type Modules = { readonly [path: string]: () => Promise<{ readonly kind: AnyKind }> };

/** Kinds by the paths of their modules, of which some are here already. */
export function kindSource(modules: Modules, here: readonly AnyKind[] = []): KindSource {
  const loaders = new Map(Object.entries(modules).map(([path, load]) => [folderOf(path), load]));
  const known = new Map(here.map((kind) => [kind.id, kind]));
  return {
    ids: [...new Set([...loaders.keys(), ...known.keys()])].sort(),
    get: (id) => known.get(id),
    async load(id) {
      const kind = known.get(id) ?? (await loaders.get(id)?.())?.kind;
      if (!kind) throw new Error(`there is no kind ${id}`);
      known.set(id, kind);
      return kind;
    },
  };
}

/**
 * Fetches a kind.
 * @param tell is told when it is here, or why it is not, in one sentence; also that there is no answer yet, and then what comes of it all the same
 * @returns resolved when something was told
 */
export const fetchKind = (kinds: KindSource, id: string, tell: (problem: SpecError | undefined) => void): Promise<void> =>
  new Promise((resolve) => {
    const told = (why?: string): void => {
      tell(why === undefined ? undefined : new SpecError('kind', WORDS.noKind(id, why)));
      resolve();
    };
    const timer = setTimeout(() => told(WORDS.noAnswer(WAIT / 1000)), WAIT);
    kinds
      .load(id)
      .then(
        () => told(),
        (thrown: unknown) => told(messageOf(thrown)),
      )
      .finally(() => clearTimeout(timer));
  });
