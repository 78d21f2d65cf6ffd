// The state as the part of an address after '#': only what differs from the start, and the version of this language.
import { tokenize } from '../figure/tokens.ts';
import { FIELDS, type Field, INITIAL, type LabState, LinkError } from './state.ts';

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
  /** One sentence about the first thing that could not be read. */
  readonly problem?: string;
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
  let problem: string | undefined;
  const broken = (key: Key, phrase: string): void => {
    problem ??= `In this link ${key} ${phrase}; the usual value is used instead.`;
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
  const state: LabState = { ...INITIAL, ...values };
  const count = tokenize(state.text).length;
  if (state.order.length > 0 && state.order.length !== count) {
    broken('order', `is for ${state.order.length} words, but the sentence has ${count}`);
    return { state: { ...state, order: INITIAL.order }, ...(problem ? { problem } : {}) };
  }
  return problem ? { state, problem } : { state };
}
