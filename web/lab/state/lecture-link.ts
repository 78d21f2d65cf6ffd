// A lecture as one link: '#lecture/v=1&encoding=rope/v=1&encoding=alibi'. Its steps are unchanged links, none of which contains a slash.
import { LINK_VERSION } from './link.ts';

const BEGIN = '#lecture/';
const PART = '/';
/** The link of the initial state, which has no parameters. */
const INITIAL_STEP = `v=${LINK_VERSION}`;

export const printLecture = (links: readonly string[]): string => BEGIN + links.map((link) => link || INITIAL_STEP).join(PART);

/** The steps of a lecture; undefined for other fragments. */
export function readLecture(hash: string): readonly string[] | undefined {
  if (!hash.startsWith(BEGIN)) return undefined;
  const links = hash.slice(BEGIN.length).split(PART).filter(Boolean);
  return links.length > 0 ? links.map((link) => (link === INITIAL_STEP ? '' : link)) : undefined;
}
