// The words of every figure. Those of a kind, and of a part that not every figure has, are beside it: so pages fetch no words that they do not show.

import { all, either, whole } from '../../charts/english.ts';

/** Labels of fields that several kinds have, by their names in a spec; a kind has those of its own fields (`FigureKind.labels`). */
const FIELD_LABELS: { readonly [name: string]: string } = {
  encoding: 'encoding',
  length: 'positions',
  offset: 'first position',
  width: 'channels',
  heads: 'heads',
  head: 'head',
  measure: 'measure',
  text: 'sentence',
  order: 'order',
  mask: 'mask',
  seed: 'seed',
  projections: 'projections',
  query: 'query at',
  key: 'key at',
  colors: 'colours',
};

/** What a control of a figure is called. */
export const fieldLabel = ({ labels }: { readonly labels?: { readonly [name: string]: string | undefined } }, name: string): string =>
  labels?.[name] ?? FIELD_LABELS[name] ?? name;

/** What defines the element. */
interface Script {
  readonly version?: string | undefined;
  readonly from?: string | undefined;
}

/** Of a part whose program did not come. */
const notLoaded =
  (consequence: string, again = 'Close this part and open it again') =>
  (why: string): string =>
    `${consequence}: the file for that could not be loaded (${why}). ${again} to try again.`;

export const WORDS = {
  computing: 'Computing …',
  broken: (message: string) => `An error in this figure, not in what it was given: ${message}.`,
  waiting: 'The picture appears when the engine has started.',
  lost: (why: string) => `The engine has stopped (${why}). Nothing you have set is lost.`,
  silent: (seconds: number) => `No answer from the engine for ${seconds} seconds: it still computes, or the browser has ended it.`,
  restart: 'Restart the engine',
  noAnswer: (seconds: number) => `no answer within ${seconds} seconds`,
  noKind: (id: string, why: string) => `kind: the program of ${id} could not be loaded (${why})`,
  unknownKind: (kind: string, known: readonly string[]) => `kind: “${kind}” is unknown; it is one of ${either.format(known)}`,
  unknownField: (kind: string, name: string, known: readonly string[]) =>
    `${name}: a ${kind} figure has no such field; it has ${either.format(known)}`,
  fieldsOf: (kind: string, known: readonly string[]) => `fields of a ${kind} figure are ${all.format(known)}`,
  notNumber: 'is not a number',
  notWhole: 'is not a whole number',
  outside: (min: number, max: number) => `is outside ${whole.format(min)} to ${whole.format(max)}`,
  noneOf: (words: readonly string[]) => `is not ${either.format(words)}`,
  notEncoding: 'is not the id of an encoding with parameters, such as “rope base=500000”',
  notFlag: 'is not true or false',
  notText: 'is not a text',
  notList: 'is not a list of numbers such as 0.5,0.25',
  notTensor: 'is not a tensor { shape, data }',
  notShape: (shape: readonly number[], count: number) =>
    `an array of ${shape.join(' × ')} does not have ${whole.format(count)} ${count === 1 ? 'number' : 'numbers'}`,
  tooManyOf: (most: number) => `these are more than ${most}, the most that can be compared`,
  notTaken: (label: string, why: string) => `This figure keeps its own ${label}: ${why}.`,
  notOffered: (encoding: string) => `it does not support ${encoding}`,
  instead: (encoding: string, shown: string) => `This figure does not support ${encoding}; it shows ${shown} instead.`,
  cannotSet: 'The number here cannot be set.',
  untrained: (encodings: readonly string[], seed: number | undefined) =>
    `Untrained: ${seed === undefined ? 'initial' : 'random'} values${encodings.length > 0 ? ` of ${all.format(encodings)}` : ''}${seed === undefined ? '' : ` (seed ${seed})`}.`,
  arrowKeys: 'Arrow keys move through the numbers.',
  verdicts: { holds: '✓ checked', amber: '≠ checked' },
  play: '▶ Play',
  pause: '❚❚ Pause',
  stale: 'previous settings',
  residual: (what: string, residual: string, tolerance: string) => `${what}: ${residual}, tolerance ${tolerance}`,
  controls: 'Change',
  picture: 'Picture',
  table: 'Numbers',
  export: 'Export',
  noPrograms: (why: string) => `their file could not be loaded (${why})`,
  noTables: notLoaded('No numbers can be shown'),
  noExport: notLoaded('Nothing can be exported'),
  noControls: notLoaded('Nothing can be changed', 'Load the page again'),
  loading: 'Loading …',
  otherVersion: (first: Script, second: Script) =>
    `<phasor-figure> is version ${first.version ?? 'unknown'} on this page, from ${first.from ?? 'a script without an address'}; version ${second.version}, from ${second.from ?? 'a script without an address'}, came later and is not used: load one of them.`,
} as const;
