export const strings = {
  question: 'How similar are two positions?',
  instruction: 'Point at a position to see its similarity to all others.',
  caption: 'Similarity between position vectors, for every pair of positions.',
  position: 'position',
  measures: { cosine: 'cosine similarity', dot: 'dot product' },
  rangeReadout: (measure: string, range: string) => `${measure} ${range}`,
  cellReadout: (measure: string, from: number, to: number, value: string) =>
    `Positions ${from} and ${to}, ${Math.abs(to - from)} apart: ${measure} ${value}`,
  proof: {
    quantity: (measure: string) => `largest difference in ${measure} between two pairs of positions at the same distance`,
    toleranceSource: 'Float32 rounding in the sum over the channels.',
    passes: 'Similarity depends only on distance, not on absolute position.',
    fails: 'Similarity also depends on absolute position.',
  },
} as const;
