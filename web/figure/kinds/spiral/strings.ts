export const strings = {
  question: 'How do all pairs together mark a position?',
  instruction: 'Show one pair, then all. Point at a curve, or press Play.',
  caption:
    'Every pair of channels is a hand of a dial and rotates with position: fast pairs at the rim, slow pairs inside. A position is the curve through the tips of its hands.',
  labels: { show: 'shown', pair: 'pair' },
  help: {
    show: 'All pairs, or the hands of one pair alone.',
    pair: 'Index of the pair shown alone; pair 0 is the fastest.',
  },
  showAllPairs: (pairCount: number) => `Show all ${pairCount} pairs`,
  showOnePair: 'Show one pair',
  position: 'position',
  pair: 'pair',
  anglesTitle: 'Angles (rad)',
  similarityTitle: (isSinglePair: boolean) => `cosine similarity of two positions in ${isSinglePair ? 'one pair' : 'all pairs'}`,
  allPairsNote: (pairCount: number, fastestPeriod: string, slowestPeriod: string) =>
    pairCount === 1
      ? `Each curve is one position, numbered at the rim. There is only pair 0, which makes a full rotation in ${fastestPeriod}.`
      : `Each curve is one position, numbered at the rim. At the rim is pair 0, which makes a full rotation in ${fastestPeriod}; at the centre is pair ${pairCount - 1}, in ${slowestPeriod}.`,
  onePairNote: (pair: number, period: string) =>
    `A position is a hand, numbered at the rim. Pair ${pair} makes a full rotation in ${period}.`,
  rotationLength: (positions: string) => `${positions} positions`,
  infinitePositions: 'infinitely many positions',
  description: (firstPosition: number, lastPosition: number, pairsClause: string) =>
    `${pairsClause}, positions ${firstPosition} to ${lastPosition}`,
  allPairsClause: (pairCount: number) => (pairCount === 1 ? 'Over one pair' : `Over all ${pairCount} pairs`),
  onePairClause: (pair: number) => `In pair ${pair} alone`,
  nearestReadout: (pairsClause: string, position: number, nearestPosition: number, cosine: string) =>
    `${pairsClause}, position ${position} is most similar to position ${nearestPosition} (cosine ${cosine})`,
  pairReadout: (pair: number, angle: string, period: string) =>
    `Pair ${pair} rotates by ${angle} rad per position: a full rotation in ${period}`,
  angleReadout: (position: number, pair: number, angle: string) => `Position ${position} rotates pair ${pair} by ${angle} rad`,
  proof: {
    quantity: 'largest difference between a score and the score of the same vectors shifted so that the query is at 0',
    toleranceSource: 'Float32 rounding in rotated vectors: 10⁻⁶ of the squared length of the longest vector.',
    passes: 'Moving two positions by the same amount rotates both curves equally: in every pair the angle between them is unchanged.',
    failsForStartTokens: (tokens: string) =>
      `The first ${tokens} rotate at their original speeds, so the angles between two positions change if both are moved.`,
    fails: 'The angles between two positions change if both are moved.',
  },
} as const;
