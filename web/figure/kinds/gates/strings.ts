import { formatNumber } from '../../../charts/number.ts';

const formatGate = (gate: number): string => formatNumber(gate, { short: true });

export const selectiveStrings = {
  question: 'How do gates change distances?',
  gateEffectsTitle: 'Steps from key to query',
  equalGatesNote: (gate: number) => {
    if (gate === 0) return 'all gates 0: no word has a position';
    return gate === 1 ? 'all gates 1: RoPE' : `all gates ${formatGate(gate)}: RoPE with distances × ${formatGate(gate)}`;
  },
  withStepSum: (message: string, steps: string) => `${message}; the gates in between sum to ${steps} steps`,
  gateReadout: {
    openGate: (word: string) => `Gate of “${word}”: 1, a full step as in RoPE`,
    closedGate: (word: string) => `Gate of “${word}”: 0, no step: words on either side of it are one step closer than in RoPE`,
    partialGate: (word: string, gate: string) => `Gate of “${word}”: ${gate} of a step`,
  },
  openAllGates: 'Set all gates to 1: RoPE',
  setGatesTo: (gate: number) => `Set all gates to ${formatGate(gate)}`,
  proof: {
    steps: {
      quantity: 'largest difference between a score and the score of RoPE with the cumulative sums of the gates as positions',
      toleranceSource: 'Float32 rounding, relative to the largest score.',
      passes: 'These are the scores of RoPE at positions that grow by the gate of each word instead of by 1.',
      fails: 'These are not the scores of RoPE at positions that grow by the gate of each word.',
    },
    rope: {
      quantity: 'largest difference between these weights and those of RoPE',
      toleranceSource: 'Float32 rounding: weights are at most 1.',
      passes: 'With all gates at 1, this is RoPE.',
      fails: 'These are not the weights of RoPE.',
    },
    scaledPositions: {
      quantity: 'largest difference between these weights and those of RoPE with all positions multiplied by the gate',
      toleranceSource: 'Float32 rounding: weights are at most 1.',
      passes: 'With equal gates, this is RoPE with its positions multiplied by the gate: position interpolation.',
      fails: 'These are not the weights of RoPE with its positions multiplied by the gate.',
    },
    noPositions: {
      quantity: 'largest difference between these weights and those without an encoding',
      toleranceSource: 'Float32 rounding: weights are at most 1.',
      passes: 'With all gates at 0, nothing is rotated: this is causal attention without an encoding.',
      fails: 'These are not the weights without an encoding.',
    },
    closedWords: {
      quantity: 'largest difference between a score and the same score without the words whose gate is 0',
      toleranceSource: 'Float32 rounding, relative to the largest score.',
      passes: 'The other words have the same scores as in the sentence without the words whose gate is 0.',
      fails: 'Removing the words whose gate is 0 changes the scores of the other words.',
    },
  },
} as const;

export const strings = {
  question: 'How do gates change attention?',
  instruction: 'Drag the gate of a word down to 0.',
  caption:
    'Causal attention: rows are queries, columns are keys, and under each word is its gate. A weight depends on the gates of the words after the key, up to the query. In the Forgetting Transformer their product multiplies the weight, before each row is normalised to sum to 1. In Selective RoPE their sum is the distance.',
  labels: { method: 'method', gates: 'gates', scores: 'scores' },
  help: {
    method:
      'forgetting: a gate multiplies the weights of all earlier words (Forgetting Transformer). rope_selective: a gate is the distance of its word from the previous word, which is 1 in plain RoPE (Selective RoPE).',
    gates: 'One number from 0 to 1 for each word, in the original order; default: 1.',
    scores: 'equal: all words have the same vector, so that only the gates matter; words: each word has its own vector.',
  },
  query: 'query',
  key: 'key',
  gate: 'gate',
  quantity: 'weight',
  tableTitles: {
    weights: 'Attention weights',
    gates: 'Forget gates',
    embeddings: 'Embeddings of the words, in this order',
  },
  word: 'word',
  channel: 'channel',
  gateOutOfRange: (value: number) => `${value} is out of range; expected 0 to 1`,
  gateEffectsTitle: 'Added to each score',
  /** Text for screen readers. */
  gatesDescription: (gates: string) => `Gates below the words: ${gates}.`,
  gateOfWord: (word: string, gate: string) => `“${word}” ${gate}`,
  equalGatesNote: (gate: number) => {
    if (gate === 0) return '';
    return gate === 1 ? 'all gates 1: no decay' : `all gates ${formatNumber(gate)}: ALiBi, slope ${formatNumber(-Math.log(gate))}`;
  },
  rangeReadout: (weights: string, gates: string) => `Weights ${weights}; gates ${gates}`,
  cellReadout: (query: string, key: string, weight: string) => `“${query}” attends to “${key}”: weight ${weight}`,
  withGateFactor: (text: string, factor: string) => `${text}; the gates in between multiply it by ${factor}`,
  maskedReadout: (query: string, key: string) => `“${query}” cannot attend to “${key}”, which comes later`,
  rowReadout: (query: string, key: string, weight: string) => `“${query}” attends most to “${key}”: weight ${weight}`,
  gateReadout: {
    firstWord: (word: string) => `No word comes before “${word}”, so its gate has no effect`,
    openGate: (word: string) => `Gate of “${word}”: 1, no decay`,
    closedGate: (word: string) => `Gate of “${word}”: 0, neither “${word}” nor any later word attends to earlier words`,
    partialGate: (word: string, gate: string) =>
      `Gate of “${word}”: ${gate}. For “${word}” and every later word, earlier words have ${gate} times the relative weight`,
  },
  dragHint: 'Drag a gate up or down, or focus it and press + or −.',
  openAllGates: 'Set all gates to 1',
  setGatesTo: (gate: number) => `Set all gates to ${formatNumber(gate, { short: true })}: ALiBi`,
  proof: {
    gates: {
      quantity: 'largest difference between a score and the score without gates plus the logarithms of the gates in between',
      toleranceSource: 'Float32 rounding, relative to the largest term.',
      passes: 'The logarithms of the gates, from the word after the key to the query, are added to the score.',
      fails: 'A score differs from the score without gates plus the logarithms of the gates in between.',
    },
    alibi: {
      quantity: 'largest difference between these weights and those of ALiBi with the slope −ln f',
      toleranceSource: 'Float32 rounding: weights are at most 1.',
      passes: 'With all gates equal to f, this is ALiBi with the slope −ln f: each word in between adds the same penalty.',
      fails: 'These are not the weights of ALiBi.',
    },
    open: {
      quantity: 'largest difference between these weights and those without an encoding',
      toleranceSource: 'Float32 rounding: weights are at most 1.',
      passes: 'Gates of 1 have no effect: this is causal attention without an encoding.',
      fails: 'These are not the weights without an encoding.',
    },
    closedGate: {
      quantity: 'largest difference between these weights and those of a text that begins at the last word with a gate of 0',
      toleranceSource: 'Float32 rounding: weights are at most 1.',
      passes: 'For the last word with a gate of 0 and all later words, attention is that of a text that begins at this word.',
      fails: 'These are not the weights of a text that begins at the last word with a gate of 0.',
    },
  },
} as const;

export const METHOD_STRINGS = {
  forgetting: strings,
  rope_selective: { ...strings, ...selectiveStrings, gateReadout: { ...strings.gateReadout, ...selectiveStrings.gateReadout } },
} as const;
export const proofs = { ...strings.proof, ...selectiveStrings.proof } as const;
