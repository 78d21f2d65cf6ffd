export const strings = {
  question: 'How does a score become a weight?',
  instruction: 'Select a key.',
  caption: 'One row of attention, step by step: a word as query, all words as keys.',
  query: 'query:',
  key: 'key',
  stage: 'step',
  masked: 'masked',
  stages: {
    product: 'q · k',
    scaled: 'scaled',
    bias: 'bias',
    score: 'score',
    exponential: 'exponential',
    weight: 'weight',
  },
  notes: {
    product: 'after the encoding',
    scaled: (scale: string) => `× ${scale}`,
    bias: 'from the encoding',
    score: (mask: string) => (mask === 'causal' ? 'sum, masked' : 'sum'),
    exponential: (max: string) => `exp(score − ${max})`,
    weight: (sum: string) => `÷ their sum ${sum}`,
  },
  title: (query: string) => `The attention of “${query}”, step by step`,
  description: (query: string, count: number, best: string, weight: string) =>
    `Six values for each of ${count} keys, from q · k to the weight. “${query}” attends most to “${best}”, weight ${weight}.`,
  cell: (query: string, key: string, product: string, scaled: string, bias: string, score: string, exponential: string, weight: string) =>
    `“${query}” to “${key}”: q · k ${product}, scaled ${scaled}, bias ${bias}, score ${score}, exponential ${exponential}, weight ${weight}`,
  hidden: (query: string, key: string, product: string) => `“${query}” to “${key}”: q · k ${product}, then masked, so the weight is 0`,
  row: (query: string, best: string, weight: string, scale: string, max: string, sum: string) =>
    `“${query}” attends most to “${best}”, weight ${weight}; scale ${scale}, largest score ${max}, sum of the exponentials ${sum}`,
  table: 'One row of attention, step by step',
  embeddings: 'embeddings of the words, in this order',
  word: 'word',
  channel: 'channel',
  proof: {
    quantity: 'largest difference between a weight computed in steps and the weight that attention computes',
    toleranceSource: 'Float32 rounding: attention computes in float32, these steps in float64; weights are at most 1.',
    passes: 'These steps reproduce the weights that attention computes.',
    fails: 'These steps do not reproduce the weights that attention computes, because rounding errors dominate.',
  },
} as const;
