// The words of the figure, in one place, so that a language can be added without touching a component. Words of a kind stand beside it.

const list = new Intl.ListFormat('en', { type: 'disjunction' });
const all = new Intl.ListFormat('en', { type: 'conjunction' });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Labels and help of fields, by their names in a spec. */
export const FIELD_WORDS: { readonly [name: string]: { readonly label: string; readonly help: string } } = {
  encoding: { label: 'encoding', help: 'The positional encoding and its parameters.' },
  other: { label: 'compared with', help: 'A second encoding with its own parameters.' },
  length: { label: 'positions', help: 'How many positions are shown, from 0 on.' },
  offset: { label: 'first position', help: 'The position of the first row.' },
  width: { label: 'channels', help: 'Channels of an embedding, or of one head for encodings of queries and keys.' },
  heads: { label: 'heads', help: 'How many attention heads.' },
  head: { label: 'head', help: 'The head that is shown, counted from 1.' },
  measure: { label: 'measure', help: 'Cosine of the angle between two vectors, or their dot product.' },
  text: { label: 'sentence', help: 'Words and marks become tokens.' },
  order: { label: 'order', help: 'For each place the number of the word there, counted from 0; empty: as written.' },
  mask: { label: 'mask', help: 'With a causal mask a token sees only those before it, and itself.' },
  seed: { label: 'seed', help: 'Of the random numbers; the same seed gives the same numbers everywhere.' },
  projections: { label: 'projections', help: 'How queries, keys and values are made from embeddings.' },
  position: { label: 'position', help: 'The position that is shown.' },
  matrix: { label: 'show', help: 'Weights after the softmax, or the scores before it.' },
  channels: { label: 'shown channels', help: 'Numbers of channels, counted from 0, with commas between them.' },
  show: { label: 'compared', help: 'What the two encodings are compared by.' },
  query: { label: 'query at', help: 'The position of the query, m.' },
  key: { label: 'key at', help: 'The position of the key, n.' },
  pair: { label: 'pair', help: 'The pair of channels that is shown large, counted from 0.' },
  vector: { label: 'digits of', help: 'Whether the formulas show the query or the key.' },
  vectors: {
    label: 'vectors',
    help: 'Drawn at random from the seed, or all ones: then every pair points the same way before it is rotated.',
  },
  config: {
    label: 'config.json',
    help: 'Of a published model (Hugging Face, versions 4 and 5), to show its own positions instead of those chosen above.',
  },
  layer: { label: 'layer', help: 'The number of the layer, from 0 on, of a model that says it layer by layer.' },
  layerType: { label: 'layers', help: 'Which layers of a model whose layers differ.' },
  compare: {
    label: 'compared with',
    help: 'Other ways to scale frequencies: none, linear, ntk_aware, dynamic_ntk, by_parts, yarn, longrope, llama3, part_ntk.',
  },
  factor: { label: 'factor', help: 'How many times longer the context becomes, where the encoding does not say it.' },
  trained: { label: 'trained length', help: 'Tokens of the texts in training; 0: as the model or the encoding says.' },
  period: { label: 'period', help: 'After so many tokens the same ones come back; 0: no token comes back.' },
  window: { label: 'window', help: 'Tokens at this distance or further are not seen; 0: no window.' },
  passage: { label: 'text of your own', help: 'Its words and marks become tokens, up to 65,536; empty: tokens are drawn from the seed.' },
  span: { label: 'zoom to', help: 'How many queries and keys are shown; 0: all of them.' },
  size: { label: 'cells', help: 'Cells along a side of the map, at most.' },
  points: { label: 'points', help: 'Coordinates with a comma, points with spaces between them: 0,1 1,0.5; empty: drawn from the seed.' },
  count: { label: 'how many', help: 'How many points are drawn, where none are given.' },
  picture: { label: 'picture', help: 'The photograph that is cut into patches.' },
  patch: { label: 'patch size', help: 'Pixels along the side of a patch.' },
  arrangement: { label: 'patches', help: 'Shuffled by the seed, two of them swapped, or as in the photograph.' },
  chosen: {
    label: 'chosen patch',
    help: 'The place whose attention is shown, counted row by row from 0; it is also one of the two that are swapped.',
  },
  partner: { label: 'swapped with', help: 'The other place of two that are swapped, counted row by row from 0.' },
  shift: { label: 'shift k', help: 'How far positions are shifted.' },
};

export const WORDS = {
  computing: 'Computing …',
  waiting: 'The picture appears when the engine has started.',
  unknownKind: (kind: string, known: readonly string[]) => `kind: “${kind}” is unknown; it is one of ${list.format(known)}`,
  unknownField: (kind: string, name: string, known: readonly string[]) =>
    `${name}: a ${kind} figure has no such field; it has ${list.format(known)}`,
  fieldsOf: (kind: string, known: readonly string[]) => `fields of a ${kind} figure are ${all.format(known)}`,
  notNumber: (text: string) => `${text} is not a number`,
  notWhole: (text: string) => `${text} is not a whole number`,
  outside: (text: string, min: number, max: number) => `${text} is outside ${whole.format(min)} to ${whole.format(max)}`,
  noneOf: (text: string, words: readonly string[]) => `${text} is not ${list.format(words)}`,
  notEncoding: (text: string) => `${text} is not the id of an encoding with parameters, such as “rope base=500000”`,
  notFlag: (text: string) => `${text} is not true or false`,
  notText: (text: string) => `${text} is not a text`,
  notList: (text: string) => `${text} is not a list of numbers such as 0.5,0.25`,
  notTensor: (text: string) => `${text} is not a tensor { shape, data }`,
  notShape: (shape: readonly number[], count: number) =>
    `an array of ${shape.join(' × ')} does not have ${whole.format(count)} ${count === 1 ? 'number' : 'numbers'}`,
  noWords: 'there are no words in it',
  tooManyWords: (words: number, most: number) => `it has ${whole.format(words)} words and marks; at most ${most} can be shown`,
  otherShape: (a: readonly number[], b: readonly number[]) =>
    `other: its numbers are ${b.join(' × ')}, those of the first encoding ${a.join(' × ')}, so they have no difference`,
  notOrder: 'it does not name every word once, as 3,0,1,2 does',
  notTaken: (label: string, why: string) => `This figure keeps its own ${label}: ${why}.`,
  notOffered: (encoding: string) => `${encoding} has no place in it`,
  cannotSet: 'The number here cannot be set.',
  arrowKeys: 'Arrow keys walk through the numbers.',
  proofHolds: 'checked',
  proofAmber: 'does not hold',
  residual: (what: string, residual: string, tolerance: string) => `${what}: ${residual}, tolerance ${tolerance}`,
  controls: 'Change',
  table: 'Numbers',
  take: 'Take away',
  cutTable: (rows: number, allRows: number, columns: number, allColumns: number) =>
    `The first ${whole.format(rows)} of ${whole.format(allRows)} rows and ${whole.format(columns)} of ${whole.format(allColumns)} columns; files have all of them.`,
  codeFiles: 'Files that the programs below read:',
  noCode: (why: string) => `No program can be shown: ${why}.`,
  embed: 'This figure in another page:',
  embedWithout: 'The numbers of the file are no part of the tag; a script sets them: figure.spec = { … }.',
  languages: { numpy: 'NumPy', pytorch: 'PyTorch', phasor: 'phasor (JavaScript)' },
} as const;
