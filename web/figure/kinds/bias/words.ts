export const words = {
  question: 'What does the encoding add to a score?',
  caption: 'The bias of one head for each query and key. Below, how each bias of the chosen query comes about, step by step.',
  bias: 'bias',
  title: 'Bias of the scores',
  query: 'query position',
  key: 'key position',
  step: 'step',
  steps: (query: number) => `Steps of query ${query}`,
  masked: 'none',
  cell: (query: number, key: number, bias: string) => `Query ${query}, key ${key}: bias ${bias}`,
  chain: (cell: string, steps: readonly (readonly [name: string, value: string])[]) =>
    `${cell}; ${steps.map(([name, value]) => `${name} ${value}`).join(' → ')}`,
  range: (head: number, heads: number, range: string) => `Head ${head} of ${heads}: bias ${range}`,
  proof: {
    what: 'largest difference between the last step and the bias that attention adds',
    whatMatrix: 'largest difference between two biases at the same distance',
    source: 'Rounding of float32, relative to the largest bias; the steps are computed in float64.',
    holds: 'The steps lead to the bias that attention adds.',
    amber: 'The steps do not lead to the bias that attention adds, up to rounding.',
    holdsMatrix: 'Only the distance counts, not where query and key stand. This encoding has no steps for a single pair.',
    amberMatrix: 'Not only the distance counts. This encoding has no steps for a single pair.',
  },
} as const;
