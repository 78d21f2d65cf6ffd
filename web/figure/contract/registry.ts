// The registry of figure kinds. Each folder in kinds/ defines one kind; the folder's name is the kind's id.

import { messageOf } from '../../engine/errors.ts';
import { DEFAULT_TIMEOUT_MS } from '../../engine/load/compile.ts';
import type { FieldTable } from './fields.ts';
import type { FigureKind } from './kind.ts';
import { SpecError } from './spec.ts';
import { STRINGS } from './strings.ts';

// Provides figure kinds. Single-file pages include all kinds. Other pages load a kind when its first figure is created.

export interface KindSource {
  /** All ids, sorted. */
  readonly ids: readonly string[];
  /** Returns a kind, or undefined if it is unknown or has not been loaded. */
  get(id: string): AnyKind | undefined;
  /** Loads a kind. Rejects if loading fails; the next call retries. */
  load(id: string): Promise<AnyKind>;
}

/** Returns a kind's id from its module path: 'attention' for '../kinds/attention/index.ts'. */
export const parseKindId = (path: string): string => path.split('/').at(-2) as string;

type ModuleLoaders = { readonly [path: string]: () => Promise<{ readonly kind: AnyKind }> };

/** Creates a source of figure kinds. `modules` contains a loader for each module path. `includedKinds` are available at once. */
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
 * @param onResult called with undefined when the kind is loaded, or with an error; on a timeout, called with an error first
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

// biome-ignore lint/suspicious/noExplicitAny: each kind has its own spec and results
export type AnyKind = FigureKind<FieldTable, any>;

export interface Kinds {
  readonly [id: string]: AnyKind;
}

/** Collects the modules' figure kinds by id. The object has no prototype, so that ids such as 'constructor' are unknown. */
export const collectKinds = (files: { readonly [path: string]: { readonly kind: AnyKind } }): Kinds =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(
      Object.entries(files)
        .map(([path, { kind }]) => [parseKindId(path), kind] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );
