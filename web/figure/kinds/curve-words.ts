export const words = {
  question: 'How does the bias change with distance?',
  caption: 'The bias of a query in the middle for every key, a line for each head. Keys on the left of the query have negative distances.',
  distance: 'distance (key minus query)',
  bias: 'bias',
  head: (head: number) => `head ${head}`,
  range: (query: number, range: string) => `Biases of the query at ${query}: ${range}`,
  at: (distance: string, values: string) => `Distance ${distance}: ${values}`,
  value: (head: string, value: string) => `${head} ${value}`,
  proof: {
    what: 'largest difference of two biases of one head at the same distance',
    source: 'Rounding of float32, relative to the largest bias.',
    holds: 'The bias is a function of distance: every query would draw the same lines.',
    amber: 'The bias is not a function of distance alone: another query would draw other lines.',
  },
} as const;
