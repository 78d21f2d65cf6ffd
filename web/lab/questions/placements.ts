// The placement of each kind of figure in the Lab, which is declared in kinds/<kind>/placement.ts.

import type { Placement } from '../../figure/contract/placement.ts';
import { parseKindId } from '../../figure/contract/registry.ts';

export interface Placements {
  readonly [kind: string]: Placement;
}

/** Collects the placements of the modules kinds/<kind>/placement.ts, by kind of figure. */
export const collectPlacements = (files: { readonly [path: string]: Placement }): Placements =>
  Object.fromEntries(Object.entries(files).map(([path, placement]) => [parseKindId(path), placement]));

/** Only one export is imported. The files also contain captions for the pages of encodings, which the Lab does not need. */
export const PLACEMENTS: Placements = collectPlacements(
  import.meta.glob<Placement>('../../figure/kinds/*/placement.ts', { eager: true, import: 'placement' }),
);
