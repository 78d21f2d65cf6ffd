export const words = {
  question: 'Can you tell how far apart two positions are?',
  instruction: 'Point at a distance.',
  caption:
    'The vectors of two positions compared, by their distance. The line is the mean of all pairs at a distance, the band their range.',
  distance: 'distance of the two positions (second minus first)',
  measures: { dot: 'dot product', cosine: 'cosine similarity' },
  line: 'mean',
  statistics: ['mean', 'smallest', 'largest'],
  range: (measure: string, range: string) => `Mean ${measure} ${range}`,
  at: (measure: string, apart: string, mean: string, min: string, max: string) =>
    min === max ? `Distance ${apart}: ${measure} ${mean}` : `Distance ${apart}: mean ${measure} ${mean}, from ${min} to ${max}`,
  proof: {
    what: (measure: string) => `largest difference in ${measure} between two pairs at the same distance`,
    source: 'Rounding of float32 in the sum over the channels.',
    holds: 'The band has no width: only the distance matters, not where two positions are.',
    amber: 'The band has a width: where two positions are matters too, not only their distance.',
  },
} as const;
