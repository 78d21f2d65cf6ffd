// Imports all kinds of figures eagerly, for single-file pages and Node programs. Pages of the site use kinds-on-demand.ts.
import { type AnyKind, collectKinds, createKindSource, type Kinds } from './registry.ts';

export const kinds: Kinds = collectKinds(import.meta.glob<{ kind: AnyKind }>('../kinds/*/index.ts', { eager: true }));

export const allKindsSource = createKindSource({}, Object.values(kinds));
