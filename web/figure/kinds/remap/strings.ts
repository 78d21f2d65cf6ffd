export const strings = {
  question: 'Which distance does RoPE use?',
  instruction: 'Point at a cell.',
  caption:
    'Each cell is the distance, in tokens, that the score uses for its query and key. RoPE alone uses |j − i|. Methods for longer texts use this distance for near keys; far keys get a distance that occurs in training.',
  query: 'query',
  key: 'key',
  distance: 'distance',
  unit: 'tokens',
  maskedLabel: 'not visible',
  rangeReadout: (maxRopeDistance: string, maxTextDistance: string) =>
    `Largest distance: ${maxRopeDistance} for RoPE, ${maxTextDistance} in the text`,
  cellReadout: (query: number, key: number, distance: string) =>
    `Query ${query}, key ${key}: distance ${query - key} in the text, ${distance} for RoPE`,
  maskedReadout: (query: number, key: number) => `Query ${query} cannot attend to key ${key}`,
  proof: {
    quantity: 'largest difference between a score and plain RoPE’s score at the displayed distance',
    toleranceSource: 'Float32 rounding in rotated vectors and their products.',
    passes: 'Attention scores equal those of plain RoPE at these distances.',
    fails: 'Attention scores do not depend on these distances alone: they also grow with the position of the query.',
  },
} as const;
