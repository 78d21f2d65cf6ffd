import type { Injection } from '../engine/index.ts';

const INJECTION_EFFECTS: { readonly [Key in Injection]: string } = {
  none: 'has no positions',
  input: 'adds a vector to each embedding; see Position',
  query_key: 'changes queries and keys according to their position; see Scores',
  score: 'adds a bias to the scores; see Scores',
  score_content: 'adds a word-dependent bias to the scores; see Scores',
  key_value: 'adds vectors to keys and values; see Scores',
};

export const QUESTION_STRINGS = {
  listLabel: 'Questions',
  viewListLabel: 'Views',
  hintHeading: 'Hint',
  dashedViewsNote: (title: string) => `Dashed: unsuitable for ${title}`,
  unsupportedReasons: {
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
  enlargeLabel: (view: string) => `Enlarge: ${view}`,
} as const;

const PROJECTIONS = 'Queries, keys and values are the embeddings themselves, or projections of them with three random orthogonal matrices';

export const PROJECTION_STRINGS = {
  trainedHint: `${PROJECTIONS}. Trained: queries and keys come from a small model that has learned to copy what followed a word’s previous occurrence`,
  untrainedHint: (title: string) => `${PROJECTIONS}. This page has no model trained with ${title}`,
  showAllHeads: 'All heads of a trained language model',
} as const;

export const EDITOR_STRINGS = {
  parameters: 'Parameters',
  showPassage: 'Show its attention under Reach',
  passageTooLong: (limit: number) => `Reach accepts at most ${limit.toLocaleString('en')} tokens.`,
} as const;

export const NOTE_STRINGS = {
  unknownField: (name: string) => `In this link ${name} is not a field of this figure; it is ignored.`,
  otherDim: (kind: string, linkedDim: string, shownDim: number) =>
    `In this link ${kind}.dim is ${linkedDim}, but here each head has ${shownDim} channels.`,
  missingPair: (pair: string, lastPair: number) =>
    `rotation.pair is ${pair}, but the pairs are numbered 0 to ${lastPair}; pair ${lastPair} is shown.`,
} as const;

export const STRIP_STRINGS = {
  regionLabel: 'The sentence',
  moreWords: (count: number) => `and ${count} more`,
} as const;

export const RAIL_STRINGS = {
  pasteConfig: 'Paste a config.json',
} as const;

export const GUIDE_STRINGS = {
  startTour: 'New to RoPE? Four steps',
  startTourShort: 'New to RoPE?',
  tourLabel: 'RoPE in four steps',
  stepLabel: (stepNumber: number, stepCount: number) => `RoPE, step ${stepNumber} of ${stepCount}`,
  previousStep: 'Back',
  nextStep: 'Next',
  leftStepNote: 'You have left this step.',
  returnToStep: 'Show this step',
  leaveTour: 'Exit tour',
  lookUpModel: 'Look up a published model',
  glossaryTitle: 'Glossary: q, k, v, head, mask',
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
  runTest: 'Run self-test',
  progress: (completedCount: number, caseCount: number) => `checking ${completedCount} of ${caseCount} cases`,
  fetchingCases: 'fetching the cases',
  couldNotRun: (reason: string) => `Self-test failed to run (${reason}).`,
  allPassed: (caseCount: number) => `✓ passed: all ${caseCount} cases agree with the reference implementations`,
  casesDiffer: (failureCount: number, completedCount: number) =>
    `✗ failed: ${failureCount} of ${completedCount} cases differ from the reference implementations`,
  timedOut: (completedCount: number, caseCount: number) =>
    `only ${completedCount} of ${caseCount} cases could be checked within 60 seconds`,
  environment: (version: string, variant: string, seconds: string) => `phasor ${version}, ${variant}, ${seconds} s, in this browser:`,
  moreFailures: (count: number) => `and ${count} more`,
} as const;

export const SPOKEN_STRINGS = {
  mask: 'Mask',
  projections: 'Projections',
  severalChanged: 'Several settings changed',
  resetToDefault: 'reset to default',
  changeAndEffect: (setting: string, effect: string) => `${setting}: ${effect}`,
} as const;

export const LECTURE_STRINGS = {
  savedCount: (count: number) => `${count} saved`,
  storageNotes: {
    forbidden: ' until you close this tab: browser storage is blocked',
    full: ' until you close this tab: browser storage is full',
  },
  stepTitle: (encoding: string, view: string) => `${encoding}: ${view}`,
  moveUp: (position: number) => `Move step ${position} up`,
  moveDown: (position: number) => `Move step ${position} down`,
  stepMoved: (oldPosition: number, newPosition: number) => `Step ${oldPosition} is now step ${newPosition}.`,
  deleteStep: (position: number) => `Delete step ${position}`,
  stepDeleted: (position: number) => `Step ${position} deleted.`,
  deleteAll: 'Delete all',
  allDeleted: 'All steps deleted.',
  undo: 'Undo',
  stepsRestored: 'Steps restored.',
  copyAsLink: 'Copy as one link',
  saveAsFile: 'Save as file',
} as const;

export const TOOL_STRINGS = {
  startPresentation: 'Present',
  exitPresentation: 'Exit',
  addToLecture: 'Add to slides',
  copyLink: 'Copy link',
  copied: 'copied',
  copyBlocked: 'Copying is blocked; use the URL in the address bar.',
  encodingLabel: 'Positional encoding',
  stepCounter: (stepNumber: number, stepCount: number) => (stepNumber > 0 ? `${stepNumber} / ${stepCount}` : `${stepCount} steps`),
  stepLabel: (stepNumber: number, stepCount: number) =>
    stepNumber > 0 ? `Step ${stepNumber} of ${stepCount}` : `Before step 1 of ${stepCount}`,
  shortcutsTitle: 'Keys',
  shortcuts: [
    ['Tab', 'moves between parts; the first part is a link to the figures'],
    ['Arrow keys on a word', 'choose a word; with Alt they move it; Space lifts and drops it'],
    ['Arrow keys on a picture', 'move the cursor from cell to cell; the number is read aloud'],
    ['Arrow keys on a question', 'open the next question'],
    ['?', 'opens this list'],
    ['Escape', 'removes the cursor and ends the presentation'],
    ['While presenting', 'the right and left arrow keys step through the saved steps or the views'],
  ],
} as const;

export const VARIANT_NAMES = { relaxed: 'WebAssembly relaxed SIMD', simd: 'WebAssembly SIMD' } as const;
