export const strings = {
  question: 'How does similarity depend on distance?',
  instruction: 'Point at a distance.',
  caption: 'Similarity of two position vectors by distance. The line is the mean over all pairs at a distance; the band is their range.',
  distanceTitle: 'distance (second position minus first)',
  measures: { dot: 'dot product', cosine: 'cosine similarity' },
  meanLine: 'mean',
  statisticNames: ['mean', 'smallest', 'largest'],
  meanRangeReadout: (measure: string, range: string) => `Mean ${measure} ${range}`,
  distanceReadout: (measure: string, distance: string, mean: string, min: string, max: string) =>
    min === max ? `Distance ${distance}: ${measure} ${mean}` : `Distance ${distance}: mean ${measure} ${mean}, from ${min} to ${max}`,
  proof: {
    quantity: (measure: string) => `largest difference in ${measure} between two pairs of positions at the same distance`,
    toleranceSource: 'Float32 rounding in the sum over the channels.',
    passes: 'The band has no width: similarity depends only on distance, not on absolute position.',
    fails: 'The band has a width: similarity also depends on absolute position.',
  },
} as const;
