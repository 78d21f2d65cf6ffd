export const strings = {
  question: 'How does a score become a weight?',
  instruction: 'Select a key.',
  caption: 'One row of attention, step by step: a word as query, all words as keys.',
  query: 'query:',
  key: 'key',
  stepTitle: 'step',
  maskedLabel: 'masked',
  stepNames: {
    product: 'q · k',
    scaled: 'scaled',
    bias: 'bias',
    score: 'score',
    exponential: 'exponential',
    weight: 'weight',
  },
  stepNotes: {
    product: 'after the encoding',
    scaled: (scale: string) => `× ${scale}`,
    bias: 'from the encoding',
    score: (mask: string) => (mask === 'causal' ? 'sum, masked' : 'sum'),
    exponential: (largestScore: string) => `exp(score − ${largestScore})`,
    weight: (sum: string) => `÷ their sum ${sum}`,
  },
  chainTitle: (query: string) => `The attention of “${query}”, step by step`,
  description: (query: string, keyCount: number, strongestKey: string, weight: string) =>
    `Six values for each of ${keyCount} keys, from q · k to the weight. “${query}” attends most to “${strongestKey}”, weight ${weight}.`,
  keyReadout: (
    query: string,
    key: string,
    product: string,
    scaled: string,
    bias: string,
    score: string,
    exponential: string,
    weight: string,
  ) =>
    `“${query}” to “${key}”: q · k ${product}, scaled ${scaled}, bias ${bias}, score ${score}, exponential ${exponential}, weight ${weight}`,
  maskedReadout: (query: string, key: string, product: string) =>
    `“${query}” to “${key}”: q · k ${product}, then masked, so the weight is 0`,
  rowReadout: (query: string, strongestKey: string, weight: string, scale: string, largestScore: string, sum: string) =>
    `“${query}” attends most to “${strongestKey}”, weight ${weight}; scale ${scale}, largest score ${largestScore}, sum of the exponentials ${sum}`,
  tableTitle: 'One row of attention, step by step',
  embeddingsTitle: 'embeddings of the words, in this order',
  word: 'word',
  channel: 'channel',
  proof: {
    quantity: 'largest difference between a weight computed in steps and the weight that attention computes',
    toleranceSource: 'Float32 rounding: attention computes in float32, these steps in float64; weights are at most 1.',
    passes: 'These steps reproduce the weights that attention computes.',
    fails: 'These steps do not reproduce the weights that attention computes, because rounding errors dominate.',
  },
} as const;
