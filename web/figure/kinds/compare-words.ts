export const words = {
  question: 'Are two encodings the same to attention?',
  caption: 'One sentence, or one stretch of positions, with two encodings A and B, in the same colours, and the difference B − A.',
  first: (name: string) => `A: ${name}`,
  second: (name: string) => `B: ${name}`,
  difference: 'B − A',
  quantities: { weights: 'weight', table: 'value', similarity: 'cosine similarity', bias: 'bias' },
  titles: {
    weights: 'Attention weights',
    table: 'Table of the encoding',
    similarity: 'Similarity of positions',
    bias: 'Bias of the scores',
  },
  axes: {
    weights: { row: 'query', column: 'key' },
    table: { row: 'position', column: 'channel' },
    similarity: { row: 'position', column: 'position' },
    bias: { row: 'query', column: 'key' },
  },
  between: 'difference',
  cells: {
    weights: (row: string, column: string) => `“${row}” to “${column}”`,
    table: (row: string, column: string) => `position ${row}, channel ${column}`,
    similarity: (row: string, column: string) => `positions ${row} and ${column}`,
    bias: (row: string, column: string) => `query ${row}, key ${column}`,
  },
  cell: (where: string, quantity: string, a: string, b: string, difference: string) =>
    `${where}: ${quantity} ${a} with A, ${b} with B, a difference of ${difference}`,
  most: (where: string, quantity: string, a: string, b: string, difference: string) =>
    `They differ most at ${where}: ${quantity} ${a} with A, ${b} with B, a difference of ${difference}`,
  same: 'A and B are exactly the same here',
  embeddings: 'embeddings of the words, in this order',
  word: 'word',
  channel: 'channel',
  proof: {
    what: (quantity: string) => `largest difference in ${quantity}`,
    source: 'Rounding of float32, relative to the largest number that is compared.',
    holds: 'The two are the same here, up to rounding.',
    amber: 'The two are not the same here.',
  },
} as const;
