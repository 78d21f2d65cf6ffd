// The registry of figure kinds. Each folder of kinds/ is a kind, and its name is the id.

import { messageOf } from '../../engine/errors.ts';
import { DEFAULT_TIMEOUT_MS } from '../../engine/load/compile.ts';
import type { FieldTable } from './fields.ts';
import type { FigureKind } from './kind.ts';
import { SpecError } from './spec.ts';
import { STRINGS } from './strings.ts';

// Loads kinds on demand. A single-file page includes all kinds; other pages load a kind with its first figure.

export interface KindSource {
  /** All ids, sorted. */
  readonly ids: readonly string[];
  /** Returns a loaded kind; undefined if the kind is unknown or not loaded. */
  get(id: string): AnyKind | undefined;
  /** Loads a kind. Rejects on failure; the next call retries. */
  load(id: string): Promise<AnyKind>;
}

/** The id of a kind from the path of its module: 'attention' from '../kinds/attention/index.ts'. */
export const parseKindId = (path: string): string => path.split('/').at(-2) as string;

type ModuleLoaders = { readonly [path: string]: () => Promise<{ readonly kind: AnyKind }> };

/** Creates a source of kinds from the loaders of their modules, by path. The kinds in `includedKinds` need no loading. */
export function createKindSource(modules: ModuleLoaders, includedKinds: readonly AnyKind[] = []): KindSource {
  const loaders = new Map(Object.entries(modules).map(([path, load]) => [parseKindId(path), load]));
  const loadedKinds = new Map(includedKinds.map((kind) => [kind.id, kind]));
  return {
    ids: [...new Set([...loaders.keys(), ...loadedKinds.keys()])].sort(),
    get: (id) => loadedKinds.get(id),
    async load(id) {
      const kind = loadedKinds.get(id) ?? (await loaders.get(id)?.())?.kind;
      if (!kind) throw new Error(`kind ${id} does not exist`);
      loadedKinds.set(id, kind);
      return kind;
    },
  };
}

/**
 * Loads a kind.
 * @param onResult receives undefined when the kind is loaded, or an error on failure; after a long wait, it first receives an error
 * @returns resolves after the first call of `onResult`
 */
export const fetchKind = (kinds: KindSource, id: string, onResult: (problem: SpecError | undefined) => void): Promise<void> =>
  new Promise((resolve) => {
    const reportResult = (why?: string): void => {
      onResult(why === undefined ? undefined : new SpecError('kind', STRINGS.noKind(id, why)));
      resolve();
    };
    const timer = setTimeout(() => reportResult(STRINGS.noAnswer(DEFAULT_TIMEOUT_MS / 1000)), DEFAULT_TIMEOUT_MS);
    kinds
      .load(id)
      .then(
        () => reportResult(),
        (thrown: unknown) => reportResult(messageOf(thrown)),
      )
      .finally(() => clearTimeout(timer));
  });

/** A kind with unspecified types. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own spec and numbers
export type AnyKind = FigureKind<FieldTable, any>;

/** Kinds by id, sorted. */
export interface Kinds {
  readonly [id: string]: AnyKind;
}

/** The kinds of these modules, by the name of their folder. The object has no prototype, so that an id such as 'constructor' is unknown. */
export const collectKinds = (files: { readonly [path: string]: { readonly kind: AnyKind } }): Kinds =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(
      Object.entries(files)
        .map(([path, { kind }]) => [parseKindId(path), kind] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
