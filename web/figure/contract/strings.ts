// Strings that every figure needs. Each figure kind or optional part has its own strings file, so that pages load only the strings they
// need.

import { joinWithAnd, joinWithOr, wholeNumber } from '../../charts/english.ts';
import { capitalize } from '../../charts/number.ts';
import { findNewName, RENAMED_KINDS } from './renamed.ts';

/** Labels of fields shared by several figure kinds. A kind defines the labels of its other fields (`FigureKind.labels`). */
const FIELD_LABELS: { readonly [name: string]: string } = {
  encoding: 'encoding',
  length: 'positions',
  positionOffset: 'first position',
  dim: 'channels',
  heads: 'heads',
  head: 'head',
  metric: 'metric',
  text: 'sentence',
  order: 'order',
  mask: 'mask',
  seed: 'seed',
  projections: 'projections',
  query: 'query position',
  key: 'key position',
  colors: 'colours',
};

export const getFieldLabel = ({ labels }: { readonly labels?: { readonly [name: string]: string | undefined } }, name: string): string =>
  labels?.[name] ?? FIELD_LABELS[name] ?? name;

interface ScriptInfo {
  readonly version?: string | undefined;
  readonly from?: string | undefined;
}

/** Creates the message for a part of the figure whose script could not be loaded. */
const createLoadError =
  (part: string, instruction = 'Close this part and open it again') =>
  (why: string): string =>
    `${part} could not be loaded (${why}). ${instruction} to try again.`;

export const STRINGS = {
  computing: 'Computing…',
  internalError: (message: string) => `Internal error: ${message}.`,
  waiting: 'Loading engine…',
  lost: (why: string) => `Engine stopped (${why}). Your settings are kept.`,
  silent: (seconds: number) => `No response for ${seconds} s; the engine may be busy or terminated.`,
  restart: 'Restart the engine',
  noAnswer: (seconds: number) => `no response within ${seconds} s`,
  noKind: (id: string, why: string) => `kind: ${id} could not be loaded (${why})`,
  unknownKind: (kind: string, kindIds: readonly string[]) => {
    const newName = findNewName(RENAMED_KINDS, kind);
    return newName ? `kind: ${kind} was renamed to ${newName}` : `kind: “${kind}” is unknown; expected ${joinWithOr.format(kindIds)}`;
  },
  renamed: (name: string, newName: string) => `${name}: renamed to ${newName}`,
  unknownField: (kind: string, name: string, fieldNames: readonly string[]) =>
    `${name}: a ${kind} figure has no such field; expected ${joinWithOr.format(fieldNames)}`,
  fieldsOf: (kind: string, fieldNames: readonly string[]) => `fields of a ${kind} figure are ${joinWithAnd.format(fieldNames)}`,
  notNumber: 'is not a number',
  notFinite: 'is too large for a number',
  notWhole: 'is not a whole number',
  outside: (min: number, max: number) => `is outside ${wholeNumber.format(min)} to ${wholeNumber.format(max)}`,
  noneOf: (values: readonly string[]) => `is not ${joinWithOr.format(values)}`,
  notEncoding: 'is not an encoding with its parameters, such as “rope base=500000”',
  notFlag: 'is not true or false',
  notText: 'is not a string',
  notList: 'is not a list of numbers such as 0.5,0.25',
  notTensor: 'is not a tensor { shape, data }',
  notShape: (shape: readonly number[], count: number) =>
    `shape ${shape.join(' × ')} does not match ${wholeNumber.format(count)} ${count === 1 ? 'number' : 'numbers'}`,
  tooManyOf: (maxCount: number) => `too many values; expected at most ${maxCount}`,
  notTaken: (label: string, why: string) => `${capitalize(label)} not linked: ${why}.`,
  notOffered: (encoding: string) => `this figure does not support ${encoding}`,
  instead: (encoding: string, replacement: string) => `This figure does not support ${encoding}; it shows ${replacement} instead.`,
  cannotSet: 'Read-only.',
  untrained: (encodings: readonly string[], seed: number | undefined) =>
    `Untrained: ${seed === undefined ? 'initial' : 'random'} values${encodings.length > 0 ? ` of ${joinWithAnd.format(encodings)}` : ''}${seed === undefined ? '' : ` (seed ${seed})`}.`,
  arrowKeys: 'Use the arrow keys to move through the values.',
  verdicts: { passes: '✓ verified', fails: '≠ differs' },
  play: '▶ Play',
  pause: '❚❚ Pause',
  stale: 'previous settings',
  residual: (quantity: string, residual: string, tolerance: string) => `${quantity}: ${residual}, tolerance ${tolerance}`,
  controls: 'Settings',
  picture: 'Picture',
  table: 'Data',
  export: 'Export',
  noPrograms: (why: string) => `the program files could not be loaded (${why})`,
  noTables: createLoadError('Data'),
  noExport: createLoadError('Export'),
  noControls: createLoadError('Settings', 'Reload the page'),
  loading: 'Loading…',
  otherVersion: (first: ScriptInfo, second: ScriptInfo) =>
    `<phasor-figure> is already defined on this page, version ${first.version ?? 'unknown'} from ${first.from ?? 'a script without a URL'}; version ${second.version} from ${second.from ?? 'a script without a URL'} is ignored: load only one of them.`,
} as const;
