// The state as the part of an address after '#': only what differs from the start, and the version of this language.
import { tokenize } from '../figure/tokens.ts';
import { FIELDS, type Field, INITIAL, type LabState, LinkError, quoted } from './state.ts';

export const LINK_VERSION = '1';

type Key = keyof LabState;
const KEYS = Object.keys(FIELDS) as Key[];
const field = (key: Key): Field<unknown> => FIELDS[key] as Field<unknown>;

// Commas and colons may stand in an address as they are, and are easier to read so.
const escaped = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%2C', ',').replaceAll('%3A', ':');

/** '' for the starting state, else 'v=1&encoding=rope&...'. */
export function printLink(state: LabState): string {
  const parts = KEYS.flatMap((key) => {
    const text = field(key).print(state[key]);
    return text === field(key).print(INITIAL[key]) || text === 'NaN' ? [] : [`${key}=${escaped(text)}`];
  });
  return parts.length === 0 ? '' : [`v=${LINK_VERSION}`, ...parts].join('&');
}

export interface ReadLink {
  readonly state: LabState;
  /** A sentence about each part that could not be read. */
  readonly problem?: string | undefined;
}

/** The state of a link. What cannot be read keeps its starting value; nothing in a link can throw. */
export function readLink(hash: string): ReadLink {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const version = parts.get('v');
  if (version !== null && version !== LINK_VERSION) {
    return {
      state: INITIAL,
      problem: `This link is written in version ${version.slice(0, 12)}, which this page cannot read; the starting sentence is shown instead.`,
    };
  }
  const values: { [key: string]: unknown } = {};
  const problems: string[] = [];
  const broken = (key: Key, phrase: string): void => {
    problems.push(`In this link ${key} ${phrase}; the usual value is used instead.`);
  };
  for (const key of KEYS) {
    const text = parts.get(key);
    if (text === null) continue;
    try {
      values[key] = field(key).parse(text);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      broken(key, error.message);
    }
  }
  for (const [name, text] of new Map(parts)) {
    if (name === 'v' || KEYS.some((key) => key === name)) continue;
    // The name of a place on the page is no part of a link.
    if (text === '' && [...parts].length === 1) continue;
    problems.push(`In this link ${quoted(name)} is not known to this page; it is left out.`);
  }
  const state: LabState = { ...INITIAL, ...values };
  const count = tokenize(state.text).length;
  const fits = state.order.length === 0 || state.order.length === count;
  if (!fits) broken('order', `is for ${state.order.length} words, but the sentence has ${count}`);
  return { state: fits ? state : { ...state, order: INITIAL.order }, ...(problems.length > 0 ? { problem: problems.join(' ') } : {}) };
}
