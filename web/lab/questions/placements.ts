// Where each kind of figure appears in the Lab, as declared in kinds/<kind>/placement.ts.

import type { Placement } from '../../figure/contract/placement.ts';
import { parseKindId } from '../../figure/contract/registry.ts';

export interface Placements {
  readonly [kind: string]: Placement;
}

/** Collects the placements of the modules kinds/<kind>/placement.ts, by kind of figure. */
export const collectPlacements = (files: { readonly [path: string]: Placement }): Placements =>
  Object.fromEntries(Object.entries(files).map(([path, placement]) => [parseKindId(path), placement]));

/** The import selects one export, because the files also contain captions for encoding pages, which the Lab does not need. */
export const PLACEMENTS: Placements = collectPlacements(
  import.meta.glob<Placement>('../../figure/kinds/*/placement.ts', { eager: true, import: 'placement' }),
);
