// Which figure an address of the gallery asks for: ?kind=similarity&length=8.
import type { FigureSpec } from '../../figure/contract/element-types.ts';
import { GALLERY_WORDS as WORDS } from '../strings.ts';

export interface Shown {
  /** The one that the address describes; undefined: it asks for none, so all are seen. */
  readonly spec?: FigureSpec;
  /** Why the address cannot be read as it was meant. */
  readonly problem?: string;
}

/** The text of an address; undefined where a % says no letter, for which URLSearchParams would put a sign of its own. */
function readAddress(search: string): string | undefined {
  try {
    return decodeURIComponent(search);
  } catch {
    return undefined;
  }
}

/** @param search the part of an address from its question mark on */
export function shownIn(search: string): Shown {
  if (readAddress(search) === undefined) return { problem: WORDS.malformed };
  const asked = new URLSearchParams(search);
  const twice = [...asked.keys()].find((name) => asked.getAll(name).length > 1);
  if (twice !== undefined) return { problem: WORDS.twice(twice) };
  const { kind, ...fields } = Object.fromEntries(asked);
  if (kind !== undefined) return { spec: { kind, ...fields } };
  const [field] = Object.keys(fields);
  return field === undefined ? {} : { problem: WORDS.noKind(field) };
}
