export const strings = {
  question: 'Does RoPE weaken attention to distant words?',
  instruction: 'Point at a distance.',
  caption:
    'The score of a query and a key by distance. It falls for equal vectors, but not for unrelated ones. The bound from the RoFormer paper is scaled to start at 1.',
  distanceTitle: 'distance to the key, tokens',
  scoreTitle: 'score, relative to the expected score at distance 0',
  equalVectors: 'equal vectors',
  scaledBound: 'bound, scaled',
  unrelatedVectors: 'unrelated',
  columnNames: ['equal vectors', 'bound', 'unrelated vectors'],
  lowestScoreReadout: (lowestScore: string, distance: string) =>
    `The lowest score of equal vectors is ${lowestScore}, at distance ${distance}`,
  distanceReadout: (distance: string, equalScore: string, bound: string, unrelatedScore: string) =>
    `Distance ${distance}: equal vectors ${equalScore}, bound ${bound}, unrelated vectors ${unrelatedScore}`,
  proof: {
    quantity: 'largest difference between the scores of equal vectors and the mean cosine of the angles of all pairs',
    toleranceSource: 'Rounding of angles to float32, which grows with the distance.',
    passes:
      'A score of equal vectors is the mean of cos(distance × frequency) over the pairs. The bound is the one plotted in the RoFormer paper.',
    fails: 'The score is not the mean cosine alone: some channels are not rotated, or a factor grows with the distance.',
  },
} as const;
