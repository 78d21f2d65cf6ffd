// Reads the figure in the URL of the gallery: ?kind=similarity&length=8.
import type { FigureSpec } from '../../figure/contract/element-types.ts';
import { GALLERY_STRINGS as STRINGS } from '../strings.ts';

export interface Shown {
  /** The figure in the URL; undefined: none, so all are shown. */
  readonly spec?: FigureSpec;
  /** The reason why the URL is invalid. */
  readonly problem?: string;
}

/** The decoded text of a URL; undefined if a % is invalid, which URLSearchParams would replace silently. */
function readAddress(search: string): string | undefined {
  try {
    return decodeURIComponent(search);
  } catch {
    return undefined;
  }
}

/** @param search the query string of a URL */
export function shownIn(search: string): Shown {
  if (readAddress(search) === undefined) return { problem: STRINGS.malformed };
  const requested = new URLSearchParams(search);
  const twice = [...requested.keys()].find((name) => requested.getAll(name).length > 1);
  if (twice !== undefined) return { problem: STRINGS.twice(twice) };
  const { kind, ...fields } = Object.fromEntries(requested);
  if (kind !== undefined) return { spec: { kind, ...fields } };
  const [field] = Object.keys(fields);
  return field === undefined ? {} : { problem: STRINGS.noKind(field) };
}
