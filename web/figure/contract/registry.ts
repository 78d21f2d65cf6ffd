// All kinds of figures: the folders of kinds/.
import type { FieldTable } from './fields.ts';
import type { FigureKind } from './kind.ts';
import { folderOf, kindSource } from './kind-source.ts';

/** A kind whose types are its own business. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own spec and numbers
export type AnyKind = FigureKind<FieldTable, any>;

/** Kinds by id, sorted. */
export interface Kinds {
  readonly [id: string]: AnyKind;
}

/** The kinds of these modules, each by the name of its folder. Without a prototype: an id comes from a page, and 'constructor' must not be found. */
export const kindsOf = (files: { readonly [path: string]: { readonly kind: AnyKind } }): Kinds =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(
      Object.entries(files)
        .map(([path, { kind }]) => [folderOf(path), kind] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );

export const kinds: Kinds = kindsOf(import.meta.glob<{ kind: AnyKind }>('../kinds/*/index.ts', { eager: true }));

/** All of them, for pages that have every kind at once. */
export const allKinds = kindSource({}, Object.values(kinds));
