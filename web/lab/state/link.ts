// Serializes the state as a URL fragment, which contains a format version and the differences from the initial state.

import { FieldError, formatValue } from '../../figure/contract/fields.ts';
import { findNewName, RENAMED_FIELDS, RENAMED_KINDS } from '../../figure/contract/renamed.ts';
import { tokenize } from '../../sentence/tokens.ts';
import { findQuestion } from '../questions/questions.ts';
import { LINK_FIELDS, toWellFormed } from './link-fields.ts';
import { INITIAL_STATE, type LabState } from './state.ts';

/** Converts a figure field to its current name: 'length.measure:loss' becomes 'extrapolation.metric:loss'. */
const renameEntry = (entry: string): string =>
  entry.replace(/^([a-z]+)\.(\w+)(?=:)/, (_, kind: string, field: string) => {
    return `${findNewName(RENAMED_KINDS, kind) ?? kind}.${findNewName(RENAMED_FIELDS, field) ?? field}`;
  });

/** Converts the names in a link of an earlier version to the current ones. */
function renameParts(parts: URLSearchParams): URLSearchParams {
  const entries = Array.from(parts, ([name, value]): [string, string] => {
    if (name === 'view') return [name, findNewName(RENAMED_KINDS, value) ?? value];
    if (name === 'figures') return [name, value.split(',').map(renameEntry).join(',')];
    if (name === 'params') return [name, value.replace(/(^|,)rotary_width:/, '$1rotary_dim:')];
    return [findNewName(RENAMED_FIELDS, name) ?? name, value];
  });
  return new URLSearchParams(entries);
}

export const LINK_VERSION = '3';

/** The page's initial state by link version. A link contains only differences from the initial state of its version. */
const INITIAL_STATES: { readonly [version: string]: LabState } = {
  1: { ...INITIAL_STATE, text: 'Rohan killed the lion', heads: 4, head: 1 },
  2: INITIAL_STATE,
  [LINK_VERSION]: INITIAL_STATE,
};

type StateKey = keyof LabState;
const STATE_KEYS = Object.keys(LINK_FIELDS) as StateKey[];
const getLinkField = (key: StateKey) => LINK_FIELDS[key] as { read(text: string): unknown; print(value: unknown): string | undefined };

// Escapes a string for a URL fragment. Commas and colons are not escaped, because they are allowed in fragments.
const escapeFragment = (text: string): string =>
  encodeURIComponent(toWellFormed(text)).replaceAll('%20', '+').replaceAll('%2C', ',').replaceAll('%3A', ':');

/** Returns the link to a state: '' for the initial state, otherwise 'v=3&encoding=rope&...'. */
export function printLink(state: LabState): string {
  const parts = STATE_KEYS.flatMap((key) => {
    const text = getLinkField(key).print(state[key]);
    return text === undefined || text === getLinkField(key).print(INITIAL_STATE[key]) || text === 'NaN'
      ? []
      : [`${key}=${escapeFragment(text)}`];
  });
  return parts.length === 0 ? '' : [`v=${LINK_VERSION}`, ...parts].join('&');
}

/** Formats the reason why a field is invalid, as a clause that follows the field's name. */
export const formatErrorClause = ({ provided, reason }: FieldError): string =>
  provided === undefined ? reason : `is ${provided}, which ${reason}`;

export interface ParsedLink {
  readonly state: LabState;
  /** One sentence for each invalid field. */
  readonly problem?: string | undefined;
}

/** Parses a link. Never throws: an invalid field keeps its initial value. */
export function parseLink(hash: string): ParsedLink {
  const provided = new URLSearchParams(hash.replace(/^#/, ''));
  const version = provided.get('v');
  const initialState = version === null ? INITIAL_STATE : Object.hasOwn(INITIAL_STATES, version) ? INITIAL_STATES[version] : undefined;
  if (!initialState) {
    return {
      state: INITIAL_STATE,
      problem: `This link has version ${version?.slice(0, 12)}, which this page does not support; the initial sentence is shown instead.`,
    };
  }
  const parts = version === '1' || version === '2' ? renameParts(provided) : provided;
  // In earlier versions, the field `matrix` of the figure `attention` was a separate part of the link.
  const matrix = parts.get('matrix');
  if (matrix !== null) {
    parts.delete('matrix');
    parts.set('figures', [parts.get('figures'), `attention.matrix:${encodeURIComponent(matrix)}`].filter(Boolean).join(','));
  }
  const values: { [key: string]: unknown } = {};
  const problems: string[] = [];
  const reportInvalid = (key: StateKey, reason: string): void => {
    problems.push(`In this link ${key} ${reason}; the default is used instead.`);
  };
  for (const key of STATE_KEYS) {
    const text = parts.get(key);
    if (text === null) continue;
    try {
      values[key] = getLinkField(key).read(text);
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      reportInvalid(key, formatErrorClause(error));
    }
  }
  for (const [name, text] of new Map(parts)) {
    if (parts.getAll(name).length > 1) problems.push(`In this link ${formatValue(name)} occurs more than once; the first is used.`);
    if (name === 'v' || STATE_KEYS.some((key) => key === name)) continue;
    // A fragment that is only an element's id is not a link.
    if (text === '' && [...parts].length === 1) continue;
    problems.push(`In this link ${formatValue(name)} is not known to this page; it is ignored.`);
  }
  const state: { -readonly [Key in StateKey]: LabState[Key] } = { ...initialState, ...values };
  const wordCount = tokenize(state.text).length;
  if (state.order.length !== 0 && state.order.length !== wordCount) {
    reportInvalid('order', `is for ${state.order.length} words, but the sentence has ${wordCount}`);
    state.order = initialState.order;
  }
  const views = findQuestion(state.question).views.map(({ kind }) => kind);
  if (state.view !== '' && !views.includes(state.view)) {
    reportInvalid('view', `is ${formatValue(state.view)}, but the question ${state.question} has the views ${views.join(', ')}`);
    state.view = initialState.view;
  }
  return { state, ...(problems.length > 0 ? { problem: problems.join(' ') } : {}) };
}
