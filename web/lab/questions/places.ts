// The kinds of figures that have a place in the Lab, by what each says in its folder.
import { folderOf } from '../../figure/contract/kind-source.ts';
import type { LabPlace } from '../../figure/contract/lab-place.ts';

export interface Places {
  readonly [kind: string]: LabPlace;
}

/** Places by kind, of modules kinds/<kind>/lab.ts. */
export const placesOf = (files: { readonly [path: string]: { readonly lab: LabPlace } }): Places =>
  Object.fromEntries(Object.entries(files).map(([path, { lab }]) => [folderOf(path), lab]));

export const PLACES: Places = placesOf(import.meta.glob<{ lab: LabPlace }>('../../figure/kinds/*/lab.ts', { eager: true }));
