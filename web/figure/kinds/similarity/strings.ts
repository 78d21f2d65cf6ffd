export const words = {
  question: 'How alike are two positions?',
  instruction: 'Point at a position: its row says which others are like it.',
  caption: 'The vectors of two positions compared, for every pair of positions.',
  position: 'position',
  measures: { cosine: 'cosine similarity', dot: 'dot product' },
  range: (measure: string, range: string) => `${measure} ${range}`,
  cell: (measure: string, from: number, to: number, value: string) =>
    `Positions ${from} and ${to}, ${Math.abs(to - from)} apart: ${measure} ${value}`,
  proof: {
    what: (measure: string) => `largest difference in ${measure} between two pairs that are equally far apart`,
    source: 'Rounding of float32 in the sum over the channels.',
    holds: 'Only the distance between two positions matters, not where they are.',
    amber: 'Where two positions are matters too, not only their distance.',
  },
} as const;
