export const words = {
  question: 'How far apart does RoPE take two words to be?',
  instruction: 'Point at a cell.',
  caption:
    'Each cell says how many tokens back the score takes its key to be. RoPE by itself takes |j − i|; methods for longer texts give near keys their own distance and far ones a distance that the model knows from training.',
  query: 'query',
  key: 'key',
  distance: 'distance',
  unit: 'tokens',
  hidden: 'not seen',
  range: (largest: string, last: string) => `Largest distance ${largest}; in the text ${last}`,
  cell: (query: number, key: number, distance: string) =>
    `Query ${query}, key ${key}: ${query - key} apart in the text, ${distance} for RoPE`,
  none: (query: number, key: number) => `Query ${query} does not see key ${key}`,
  proof: {
    what: 'largest difference between a score and that of plain RoPE at the distance shown',
    source: 'Rounding of float32 in rotated vectors and their products.',
    holds: 'The scores of attention are those of plain RoPE at these distances.',
    amber: 'The scores of attention are not those of plain RoPE at these distances alone: they grow with the position of the query too.',
  },
} as const;
