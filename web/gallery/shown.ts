// Which figures an address of the gallery asks for.
import type { FigureSpec } from '../figure/contract/element-types.ts';
import type { Kinds } from '../figure/contract/registry.ts';

/** One of each kind, or the one that the address describes. */
export function shownIn(search: string, kinds: Kinds): readonly FigureSpec[] {
  const { kind, ...fields } = Object.fromEntries(new URLSearchParams(search));
  return kind === undefined ? Object.keys(kinds).map((id) => ({ kind: id })) : [{ kind, ...fields }];
}
