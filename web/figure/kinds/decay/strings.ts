export const words = {
  question: 'Does RoPE make distant words weaker?',
  instruction: 'Point at a distance.',
  caption:
    'Scores of a query and a key by their distance. Those of equal vectors fall, and so does the bound in the RoFormer paper, which is scaled to begin at 1. Vectors that have nothing in common score as much far apart as side by side.',
  distance: 'distance of the key, tokens',
  score: 'score, relative to what is expected at distance 0',
  equal: 'equal vectors',
  bound: 'bound, scaled',
  random: 'unrelated ones',
  columns: ['equal vectors', 'bound', 'unrelated vectors'],
  range: (lowest: string, distance: string) => `Equal vectors score least, ${lowest}, at distance ${distance}`,
  at: (distance: string, equal: string, bound: string, random: string) =>
    `Distance ${distance}: equal vectors ${equal}, bound ${bound}, unrelated vectors ${random}`,
  proof: {
    what: 'largest difference between the scores of equal vectors and the mean cosine of the angles of all pairs',
    source: 'Rounding of angles to float32, which grows with the distance.',
    holds:
      'A score of equal vectors is the mean of cos(distance × frequency) over the pairs. The curve that RoFormer’s paper draws is the bound.',
    amber: 'The score is not the mean cosine alone: some channels are not rotated, or a factor grows with the distance.',
  },
} as const;
