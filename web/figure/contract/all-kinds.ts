// Loads every kind of figure at once, for single-file pages and for Node programs. Pages of the site use kinds-on-demand.ts.
import { type AnyKind, collectKinds, createKindSource, type Kinds } from './registry.ts';

export const kinds: Kinds = collectKinds(import.meta.glob<{ kind: AnyKind }>('../kinds/*/index.ts', { eager: true }));

/** All kinds are available at once, so nothing is loaded on demand. */
export const allKindsSource = createKindSource({}, Object.values(kinds));
