import type { Injection } from '../engine/index.ts';

const INJECTION_EFFECTS: { readonly [Each in Injection]: string } = {
  none: 'has no positions',
  input: 'adds a vector to each embedding; see Position',
  query_key: 'changes queries and keys according to their position; see Scores',
  score: 'adds a bias to the scores; see Scores',
  score_content: 'adds a word-dependent bias to the scores; see Scores',
  key_value: 'adds vectors to keys and values; see Scores',
};

export const QUESTION_STRINGS = {
  list: 'Questions',
  viewList: 'Views',
  see: 'Hint',
  dashed: (title: string) => `Dashed: unsuitable for ${title}`,
  suggestion: (title: string) => `Best view for ${title}:`,
  whyNot: {
    table: (title: string, injection: Injection) => `${title} has no table of position vectors: it ${INJECTION_EFFECTS[injection]}.`,
    waves: (title: string, injection: Injection) =>
      injection === 'input'
        ? `The table of ${title} does not consist of sines and cosines, so it has no clocks and no shift matrix.`
        : `${title} has no table of sines and cosines: it ${INJECTION_EFFECTS[injection]}.`,
    rotation: (title: string, injection: Injection) =>
      injection === 'query_key'
        ? `${title} changes queries and keys but does not rotate channel pairs.`
        : `${title} does not rotate queries and keys: it ${INJECTION_EFFECTS[injection]}.`,
    bias: (title: string, injection: Injection) => `${title} adds nothing to the scores: it ${INJECTION_EFFECTS[injection]}.`,
  },
  enlarge: (view: string) => `Enlarge: ${view}`,
} as const;

const PROJECTIONS = 'Queries, keys and values are the embeddings themselves, or projections of them with three random orthogonal matrices';

export const PROJECTION_STRINGS = {
  trained: `${PROJECTIONS}. Trained: queries and keys come from a small model that has learned to copy what followed a word’s previous occurrence`,
  untrained: (title: string) => `${PROJECTIONS}. This page has no model trained with ${title}`,
  inside: 'All heads of a trained language model',
} as const;

export const EDITOR_STRINGS = {
  parameters: 'Parameters',
  passage: 'Show its attention under Reach',
  tooLong: (limit: number) => `Reach accepts at most ${limit.toLocaleString('en')} tokens.`,
} as const;

export const NOTE_STRINGS = {
  unknown: (name: string) => `In this link ${name} is not a field of this figure; it is ignored.`,
  dim: (kind: string, provided: string, shownDim: number) =>
    `In this link ${kind}.dim is ${provided}, but here each head has ${shownDim} channels.`,
  pair: (pair: string, lastPair: number) =>
    `rotation.pair is ${pair}, but the pairs are numbered 0 to ${lastPair}; pair ${lastPair} is shown.`,
} as const;

export const STRIP_STRINGS = {
  label: 'The sentence',
  more: (count: number) => `and ${count} more`,
} as const;

export const RAIL_STRINGS = {
  config: 'Paste a config.json',
} as const;

export const GUIDE_STRINGS = {
  tour: 'New to RoPE? Four steps',
  shortTour: 'New to RoPE?',
  tourLabel: 'RoPE in four steps',
  step: (at: number, count: number) => `RoPE, step ${at} of ${count}`,
  back: 'Back',
  next: 'Next',
  away: 'You have left this step.',
  return: 'Show this step',
  leaveTour: 'Exit tour',
  model: 'Look up a published model',
  glossary: 'Glossary: q, k, v, head, mask',
} as const;

export const GLOSSARY: readonly (readonly [string, string])[] = [
  ['query q', 'the vector that is compared with keys, computed from a token’s embedding'],
  ['key k', 'the vector that queries are compared with: the dot product of q and k is a score'],
  ['value v', 'the vector that a token contributes to the output, which is a weighted sum of values'],
  ['weight', 'the softmax of the scores: the weights of a query are positive and sum to 1'],
  ['head', 'one of several parallel attention operations, each on some of the channels'],
  ['mask', 'the keys hidden from a query; causal: those after it'],
];

export const CHECK_STRINGS = {
  ask: 'Run self-test',
  running: (done: number, total: number) => `checking ${done} of ${total} cases`,
  begins: 'fetching the cases',
  failed: (reason: string) => `Self-test failed to run (${reason}).`,
  passed: (total: number) => `✓ passed: all ${total} cases agree with the reference implementations`,
  differing: (failed: number, total: number) => `✗ failed: ${failed} of ${total} cases differ from the reference implementations`,
  stopped: (done: number, total: number) => `only ${done} of ${total} cases could be checked within 60 seconds`,
  where: (version: string, variant: string, seconds: string) => `phasor ${version}, ${variant}, ${seconds} s, in this browser:`,
  more: (count: number) => `and ${count} more`,
} as const;

export const SPOKEN_STRINGS = {
  mask: 'Mask',
  projections: 'Projections',
  several: 'Several settings changed',
  standard: 'reset to default',
  effect: (changed: string, effect: string) => `${changed}: ${effect}`,
} as const;

export const LECTURE_STRINGS = {
  saved: (count: number) => `${count} saved`,
  untilClosed: {
    forbidden: ' until you close this tab: browser storage is blocked',
    full: ' until you close this tab: browser storage is full',
  },
  stepTitle: (encoding: string, view: string) => `${encoding}: ${view}`,
  up: (position: number) => `Move step ${position} up`,
  down: (location: number) => `Move step ${location} down`,
  moved: (from: number, to: number) => `Step ${from} is now step ${to}.`,
  delete: (place: number) => `Delete step ${place}`,
  deleted: (place: number) => `Step ${place} deleted.`,
  deleteAll: 'Delete all',
  deletedAll: 'All steps deleted.',
  undo: 'Undo',
  undone: 'Steps restored.',
  share: 'Copy as one link',
  saveFile: 'Save as file',
} as const;

export const TOOL_STRINGS = {
  present: 'Present',
  leave: 'Exit',
  save: 'Add to slides',
  copy: 'Copy link',
  copied: 'copied',
  notCopied: 'Copying is blocked; use the URL in the address bar.',
  encoding: 'Positional encoding',
  step: (at: number, of: number) => (at > 0 ? `${at} / ${of}` : `${of} steps`),
  stepLabel: (at: number, of: number) => (at > 0 ? `Step ${at} of ${of}` : `Before step 1 of ${of}`),
  keysTitle: 'Keys',
  keys: [
    ['Tab', 'moves between parts; the first part is a link to the figures'],
    ['Arrow keys on a word', 'choose a word; with Alt they move it; Space lifts and drops it'],
    ['Arrow keys on a picture', 'move the cursor from cell to cell; the number is read aloud'],
    ['Arrow keys on a question', 'open the next question'],
    ['?', 'opens this list'],
    ['Escape', 'removes the cursor and ends the presentation'],
    ['While presenting', 'the right and left arrow keys step through the saved steps or the views'],
  ],
} as const;

export const VARIANTS = { relaxed: 'WebAssembly relaxed SIMD', simd: 'WebAssembly SIMD' } as const;
