import { formatNumber } from '../../../charts/number.ts';

// Sentences about the gates of Selective RoPE, which weight each word's distance.

const times = (gate: number): string => formatNumber(gate, { short: true });

export const selectiveWords = {
  question: 'How far does each word count?',
  between: 'Steps from key to query',
  constant: (gate: number) => {
    if (gate === 0) return 'all gates 0: no word has a position';
    return gate === 1 ? 'all gates 1: RoPE' : `all gates ${times(gate)}: RoPE with ${times(gate)} of each distance`;
  },
  counted: (said: string, steps: string) => `${said}; the gates in between count ${steps} steps`,
  at: {
    open: (word: string) => `Gate of “${word}”: 1, a whole step, as in RoPE`,
    closed: (word: string) => `Gate of “${word}”: 0, it is not counted: what is on either side of it is one step closer than in RoPE`,
    between: (word: string, gate: string) => `Gate of “${word}”: ${gate}. It counts as ${gate} of a step`,
  },
  open: 'All gates 1: RoPE',
  same: (gate: number) => `All gates ${times(gate)}`,
  proof: {
    steps: {
      what: 'largest difference between a score and that of RoPE at positions that grow by the gates',
      source: 'Rounding of float32, relative to the largest score.',
      holds: 'These are the scores of RoPE at positions that grow by the gate of each word instead of by 1.',
      amber: 'A score is not that of RoPE at positions that grow by the gates.',
    },
    rope: {
      what: 'largest difference between these weights and those of RoPE',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'Where every word counts as a whole step this is RoPE.',
      amber: 'These are not the weights of RoPE.',
    },
    squeezed: {
      what: 'largest difference between these weights and those of RoPE with all positions multiplied by the gate',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'Where all gates are one number this is RoPE with its positions multiplied by it: position interpolation.',
      amber: 'These are not the weights of RoPE with its positions multiplied by the gate.',
    },
    unplaced: {
      what: 'largest difference between these weights and those without an encoding',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'Where no word counts nothing is rotated: this is causal attention without an encoding.',
      amber: 'These are not the weights without an encoding.',
    },
    skipped: {
      what: 'largest difference between a score and that of the sentence without the words whose gate is 0',
      source: 'Rounding of float32, relative to the largest score.',
      holds: 'The other words have the scores that they would have if those with a gate of 0 were not there.',
      amber: 'The scores of the other words are not those of the sentence without the words whose gate is 0.',
    },
  },
} as const;

export const words = {
  question: 'What do the gates of words change?',
  instruction: 'Drag the gate of a word down to 0.',
  caption:
    'Causal attention: rows are queries, columns are keys, and under each word is its gate. In the Forgetting Transformer a weight is multiplied by the gates of all words after the key, up to the query, and then each row is made to sum to 1. In Selective RoPE these gates are added up, and RoPE takes their sum for the distance.',
  labels: { method: 'method', gates: 'gates', scores: 'scores' },
  help: {
    method:
      'forgetting: a gate is what its word keeps of everything before it (Forgetting Transformer). rope_selective: a gate is how far its word counts (Selective RoPE, whose steps are 1 here).',
    gates: 'One number from 0 to 1 for each word as written; words without one have 1.',
    scores: 'All words alike, so that only the gates decide; or the vectors of the words.',
  },
  query: 'query',
  key: 'key',
  gate: 'gate',
  quantity: 'weight',
  titles: {
    weights: 'Attention weights',
    gates: 'Forget gates',
    embeddings: 'Embeddings of the words, in this order',
  },
  word: 'word',
  channel: 'channel',
  wrong: (value: number) => `${value} is outside 0 to 1`,
  between: 'Added to each score',
  /** For those who do not see the gates. */
  described: (gates: string) => `Under the words their gates: ${gates}.`,
  named: (word: string, gate: string) => `“${word}” ${gate}`,
  constant: (gate: number) => {
    if (gate === 0) return '';
    return gate === 1
      ? 'all gates 1: nothing is forgotten'
      : `all gates ${formatNumber(gate)}: ALiBi, slope ${formatNumber(-Math.log(gate))}`;
  },
  range: (weights: string, gates: string) => `Weights ${weights}; gates ${gates}`,
  cell: (query: string, key: string, weight: string) => `“${query}” attends to “${key}”: weight ${weight}`,
  times: (said: string, factor: string) => `${said}; the gates in between multiply it by ${factor}`,
  masked: (query: string, key: string) => `“${query}” cannot attend to “${key}”, which comes later`,
  row: (query: string, key: string, weight: string) => `“${query}” attends most to “${key}”: weight ${weight}`,
  at: {
    first: (word: string) => `No word comes before “${word}”, so its gate does nothing`,
    open: (word: string) => `Gate of “${word}”: 1, nothing is forgotten here`,
    closed: (word: string) => `Gate of “${word}”: 0, neither “${word}” nor any word after it sees what came before`,
    between: (word: string, gate: string) =>
      `Gate of “${word}”: ${gate}. For “${word}” and every word after it, all that came before has ${gate} times the weight beside the rest`,
  },
  drag: 'Drag a gate up or down, or press + and − at it.',
  open: 'Open all gates',
  same: (gate: number) => `All gates ${formatNumber(gate, { short: true })}: ALiBi`,
  proof: {
    gates: {
      what: 'largest difference between a score and the score without gates plus the logarithms of the gates in between',
      source: 'Rounding of float32, relative to the largest number that is added.',
      holds: 'Gates act by what they add to a score: the sum of their logarithms, from the word after the key to the query.',
      amber: 'A score is not the score without gates plus the logarithms of the gates in between.',
    },
    alibi: {
      what: 'largest difference between these weights and those of ALiBi with the slope −ln f',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'Where all gates are one number f this is ALiBi with the slope −ln f: each word in between costs the same.',
      amber: 'These are not the weights of ALiBi.',
    },
    open: {
      what: 'largest difference between these weights and those without an encoding',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'Gates of 1 forget nothing: this is causal attention without an encoding.',
      amber: 'These are not the weights without an encoding.',
    },
    cut: {
      what: 'largest difference between these weights and those of a text that begins at the last closed gate',
      source: 'Rounding of float32: weights are at most 1.',
      holds: 'For the word with a gate of 0 and all after it, the text begins there: whatever comes before has weight 0.',
      amber: 'These are not the weights of a text that begins at the closed gate.',
    },
  },
} as const;

/** Of each method, as far as they differ. */
export const wordsOf = {
  forgetting: words,
  rope_selective: { ...words, ...selectiveWords, at: { ...words.at, ...selectiveWords.at } },
} as const;
export const proofs = { ...words.proof, ...selectiveWords.proof } as const;
