// All kinds of figures: the files of kinds/.
import type { FieldTable } from './fields.ts';
import type { FigureKind } from './kind.ts';
import { kindSource } from './kind-source.ts';

/** A kind whose types are its own business. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own spec and numbers
export type AnyKind = FigureKind<FieldTable, any>;

const files = import.meta.glob<{ kind: AnyKind }>(['./kinds/*.ts', '!./kinds/*-*.ts'], { eager: true });

/** Kinds by id, sorted. Without a prototype: an id comes from a page, and 'constructor' must not be found. */
export const kinds: { readonly [id: string]: AnyKind } = Object.assign(
  Object.create(null),
  Object.fromEntries(
    Object.values(files)
      .map(({ kind }) => [kind.id, kind] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
);

/** All of them, for pages that have every kind at once. */
export const allKinds = kindSource({}, Object.values(kinds));
