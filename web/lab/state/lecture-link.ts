// Encodes a lecture as a single link: '#lecture/v=1&encoding=rope/v=1&encoding=alibi'. The steps are ordinary links, which contain no
// slashes.
import { LINK_VERSION } from './link.ts';

const LECTURE_PREFIX = '#lecture/';
const SEPARATOR = '/';
/** Represents the initial state, whose ordinary link is empty. */
const INITIAL_LINK = `v=${LINK_VERSION}`;

export const printLecture = (links: readonly string[]): string =>
  LECTURE_PREFIX + links.map((link) => link || INITIAL_LINK).join(SEPARATOR);

/** Returns a lecture's steps; undefined if the fragment is not a lecture. */
export function parseLecture(hash: string): readonly string[] | undefined {
  if (!hash.startsWith(LECTURE_PREFIX)) return undefined;
  const links = hash.slice(LECTURE_PREFIX.length).split(SEPARATOR).filter(Boolean);
  return links.length > 0 ? links.map((link) => (link === INITIAL_LINK ? '' : link)) : undefined;
}
