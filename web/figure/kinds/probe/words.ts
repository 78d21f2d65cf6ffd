import { TRAINING } from '../../numbers/training-words.ts';

export const words = {
  question: 'Where does a model without positions keep them?',
  instruction: 'Point at a bar, or train a model here.',
  caption:
    'A small network, the probe, reads the state of one token and guesses the token’s position. A bar is how far off it is, on texts that it was not trained on; at the dashed line it is no better than always guessing the middle. No model here has an encoding: all that can tell them positions is the causal mask.',
  labels: { run: 'bars' },
  help: {
    run: 'recorded, or trained here, live.',
  },
  models: {
    trained: 'Causal mask, trained',
    untrained: 'Causal mask, untrained',
    unmasked: 'No mask, untrained',
  },
  training: (step: number) => `Causal mask, after ${step} steps`,
  layers: ['embeddings', 'after layer 1', 'after layer 2'],
  layerOf: (layer: number) => (layer === 0 ? 'embeddings' : `after layer ${layer}`),
  chance: 'guessing',
  off: (tokens: string) => `${tokens} tokens`,
  notYet: 'not measured yet',
  byLayer: 'Tokens off, layer by layer',
  byPosition: 'The same among the first n tokens',
  firstTokens: 'n, first tokens of the text',
  tokens: 'tokens off',
  described: (length: number, parts: string) => `Error of a probe that guesses positions among ${length} tokens. ${parts}`,
  model: (name: string, values: string, chance: string) => `${name}: ${values}; guessing ${chance}`,
  value: (layer: string, value: string) => `${layer} ${value}`,
  bar: (name: string, layer: string, value: string, chance: string) =>
    `${name}, ${layer}: the probe is ${value} tokens off; guessing, ${chance}`,
  stretch: (length: number, values: string, chance: string) => `Among the first ${length} tokens: ${values}; guessing ${chance}`,
  nothingYet: 'Nothing has been measured yet.',
  train: 'Train one here',
  again: TRAINING.again,
  recording: TRAINING.recording,
  cannotTrain: TRAINING.cannotTrain,
  notRecorded: 'only the seeds 1 to 3 were recorded; every seed can be trained here',
  tables: {
    errors: 'how far off the probe is among all tokens, by model and layer',
    byLength: 'how far off it is among the first tokens, by layer, of the causal model',
    chance: 'guessing among the first tokens',
  },
  modelTitle: 'model',
  layer: 'layer',
  length: 'first tokens',
  proof: {
    what: 'error after the first layer of the causal model, as a share of that of guessing',
    source: 'Guessing is the mean distance from the middle, a quarter of the positions; a probe of noise is within 0.05 of it.',
    holds: 'After the first causal layer the probe does better than guessing: the mask has written positions into the states.',
    amber: 'After the first causal layer the probe does not do better than guessing, or nothing has been measured yet.',
  },
  verdicts: { holds: '✓ Position is there', amber: '△ Not found' },
} as const;
