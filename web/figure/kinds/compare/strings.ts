const pair = { row: 'query', column: 'key' };
const wordPair = (row: string, column: string) => `“${row}” to “${column}”`;

export const words = {
  question: 'Are two encodings the same to attention?',
  instruction: 'Point at a cell: A, B and their difference light up together.',
  caption: 'One sentence, or one stretch of positions, with two encodings A and B, in the same colours, and the difference B − A.',
  labels: {
    show: 'compared',
    other: 'compared with',
    scale: 'scale of B',
    reordered: 'channels of B in its own order',
  },
  help: {
    show: 'What the two encodings are compared by.',
    other: 'A second encoding with its own parameters.',
    scale: 'Factor on q·k in B; 0: that of its encoding.',
    reordered: 'B gets the channels of A in the order in which it pairs them.',
  },
  first: (name: string) => `A: ${name}`,
  second: (name: string) => `B: ${name}`,
  difference: 'B − A',
  faint: (most: string) => `${words.difference}, faint: at most ${most}`,
  quantities: { weights: 'weight', scores: 'score', table: 'value', similarity: 'cosine similarity', bias: 'bias' },
  titles: {
    weights: 'Attention weights',
    scores: 'Scores before the mask',
    table: 'Table of the encoding',
    similarity: 'Similarity of positions',
    bias: 'Bias of the scores',
  },
  axes: {
    weights: pair,
    scores: pair,
    table: { row: 'position', column: 'channel' },
    similarity: { row: 'position', column: 'position' },
    bias: pair,
  },
  between: 'difference',
  cells: {
    weights: wordPair,
    scores: wordPair,
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
  channels: 'for each channel of B, the channel of A in its place',
  noChannels: 'a bias has no channels; compare weights, scores or tables',
  projected: 'the channels of queries and keys are those of embeddings with projections identity only',
  otherPairs: (a: string, b: string) => `${a} and ${b} are not made of the same pairs of channels`,
  /** Two encodings may be meant to differ. */
  verdicts: { holds: '= the same', amber: '≠ they differ' },
  proof: {
    what: (quantity: string) => `largest difference in ${quantity}`,
    source: 'Rounding of float32, relative to the largest number that is compared.',
    holds: 'The two are the same here, up to rounding.',
    amber: 'The two are not the same here.',
  },
} as const;
