// Where the Lab lists each kind of figure, as declared in kinds/<kind>/placement.ts.

import type { Placement } from '../../figure/contract/placement.ts';
import { parseKindId } from '../../figure/contract/registry.ts';

export interface Placements {
  readonly [kind: string]: Placement;
}

/** Maps each kind of figure to the placement in its module kinds/<kind>/placement.ts. */
export const collectPlacements = (files: { readonly [path: string]: Placement }): Placements =>
  Object.fromEntries(Object.entries(files).map(([path, placement]) => [parseKindId(path), placement]));

/** Imports only `placement`: the modules also export captions for the encoding pages, which the Lab does not need. */
export const PLACEMENTS: Placements = collectPlacements(
  import.meta.glob<Placement>('../../figure/kinds/*/placement.ts', { eager: true, import: 'placement' }),
);
