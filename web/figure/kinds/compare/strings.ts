const queryKeyAxes = { row: 'query', column: 'key' };
const formatWordPair = (row: string, column: string) => `“${row}” to “${column}”`;

export const strings = {
  question: 'Are two encodings equivalent?',
  instruction: 'Point at a cell to compare it in A, B and their difference.',
  caption: 'One sentence, or one range of positions, with two encodings A and B on the same colour scale, and the difference B − A.',
  labels: {
    show: 'quantity',
    other: 'second encoding',
    scale: 'scale of B',
    reordered: 'permute channels of B',
  },
  help: {
    show: 'The quantity to compare.',
    other: 'The second encoding and its parameters.',
    scale: 'Scale factor of q·k in B; 0: the default of its encoding.',
    reordered: 'Gives B the channels of A, permuted to match the channel pairs of B.',
  },
  first: (name: string) => `A: ${name}`,
  second: (name: string) => `B: ${name}`,
  difference: 'B − A',
  faint: (most: string) => `${strings.difference}, faint: at most ${most}`,
  quantities: { weights: 'weight', scores: 'score', table: 'value', similarity: 'cosine similarity', bias: 'bias' },
  titles: {
    weights: 'Attention weights',
    scores: 'Scores before the mask',
    table: 'Encoding table',
    similarity: 'Similarity of positions',
    bias: 'Score bias',
  },
  axes: {
    weights: queryKeyAxes,
    scores: queryKeyAxes,
    table: { row: 'position', column: 'channel' },
    similarity: { row: 'position', column: 'position' },
    bias: queryKeyAxes,
  },
  between: 'difference',
  cells: {
    weights: formatWordPair,
    scores: formatWordPair,
    table: (row: string, column: string) => `position ${row}, channel ${column}`,
    similarity: (row: string, column: string) => `positions ${row} and ${column}`,
    bias: (row: string, column: string) => `query ${row}, key ${column}`,
  },
  cell: (where: string, quantity: string, a: string, b: string, difference: string) =>
    `${where}: ${quantity} ${a} with A, ${b} with B, a difference of ${difference}`,
  most: (where: string, quantity: string, a: string, b: string, difference: string) =>
    `A and B differ most at ${where}: ${quantity} ${a} with A, ${b} with B, a difference of ${difference}`,
  same: 'A and B are exactly equal here',
  embeddings: 'embeddings of the words, in this order',
  word: 'word',
  channel: 'channel',
  channels: 'for each channel of B, the channel of A that it receives',
  noChannels: 'a bias has no channels; expected weights, scores or table',
  projected: 'requires identity projections, which do not mix channels',
  otherPairs: (a: string, b: string) => `${a} and ${b} do not have the same channel pairs`,
  /** Not ✓ and ✗, because two encodings may differ intentionally. */
  verdicts: { passes: '= equal', fails: '≠ different' },
  proof: {
    quantity: (quantity: string) => `largest difference in ${quantity}`,
    toleranceSource: 'Float32 rounding, relative to the largest compared number.',
    passes: 'A and B are equal here, up to rounding.',
    fails: 'A and B are not equal here.',
  },
} as const;
