// Where kinds come from: all at once in the package, each when a figure needs it on the site.
import { messageOf } from '../../engine/thrown.ts';
import type { AnyKind } from './registry.ts';
import { SpecError } from './spec.ts';
import { WORDS } from './words.ts';

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

/** Fetches a kind. @returns why it could not be had, as one sentence */
export const fetchKind = (kinds: KindSource, id: string): Promise<SpecError | undefined> =>
  kinds.load(id).then(
    () => undefined,
    (thrown: unknown) => new SpecError('kind', WORDS.noKind(id, messageOf(thrown))),
  );
