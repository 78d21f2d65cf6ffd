const queryKeyAxes = { row: 'query', column: 'key' };
const formatWordPair = (row: string, column: string) => `“${row}” to “${column}”`;

export const strings = {
  question: 'Are two encodings equivalent?',
  instruction: 'Point at a cell to compare it in A, B and their difference.',
  caption: 'Encodings A and B, applied to the same sentence or range of positions and drawn on one colour scale, and the difference B − A.',
  labels: {
    show: 'quantity',
    other: 'second encoding',
    scale: 'scale of B',
    reordered: 'permute channels of B',
  },
  help: {
    show: 'The quantity to compare.',
    other: 'The second encoding and its parameters.',
    scale: 'Scale factor applied to q·k in B; 0: the encoding’s default.',
    reordered: 'Permutes channels so that the channel pairs of B match those of A.',
  },
  encodingA: (name: string) => `A: ${name}`,
  encodingB: (name: string) => `B: ${name}`,
  difference: 'B − A',
  faintDifference: (maxDifference: string) => `${strings.difference}, up to ±${maxDifference}`,
  quantities: { weights: 'weight', scores: 'score', table: 'value', similarity: 'cosine similarity', bias: 'bias' },
  titles: {
    weights: 'Attention weights',
    scores: 'Scores before the mask',
    table: 'Encoding table',
    similarity: 'Similarity of positions',
    bias: 'Score bias',
  },
  axisTitles: {
    weights: queryKeyAxes,
    scores: queryKeyAxes,
    table: { row: 'position', column: 'channel' },
    similarity: { row: 'position', column: 'position' },
    bias: queryKeyAxes,
  },
  differenceQuantity: 'difference',
  cellNames: {
    weights: formatWordPair,
    scores: formatWordPair,
    table: (row: string, column: string) => `position ${row}, channel ${column}`,
    similarity: (row: string, column: string) => `positions ${row} and ${column}`,
    bias: (row: string, column: string) => `query ${row}, key ${column}`,
  },
  cellReadout: (cellName: string, quantity: string, a: string, b: string, difference: string) =>
    `${cellName}: ${quantity} ${a} with A, ${b} with B, a difference of ${difference}`,
  largestDifference: (cellName: string, quantity: string, a: string, b: string, difference: string) =>
    `A and B differ most at ${cellName}: ${quantity} ${a} with A, ${b} with B, a difference of ${difference}`,
  exactlyEqual: 'A and B are exactly equal here',
  embeddingsTitle: 'embeddings of the words, in this order',
  word: 'word',
  channel: 'channel',
  channelsTitle: 'channel of A that corresponds to each channel of B',
  biasHasNoChannels: 'a bias has no channels to permute; expected show to be weights, scores or table',
  needsIdentityProjections: 'requires identity projections, because other projections mix channels',
  differentPairs: (a: string, b: string) => `${a} and ${b} do not have the same channel pairs`,
  /** Neutral symbols instead of ✓ and ✗: a difference between two encodings is not an error. */
  verdicts: { passes: '= equal', fails: '≠ different' },
  proof: {
    quantity: (quantity: string) => `largest difference in ${quantity}`,
    toleranceSource: 'Float32 rounding, relative to the largest compared value.',
    passes: 'A and B are equal here, up to rounding.',
    fails: 'A and B are not equal here.',
  },
} as const;
