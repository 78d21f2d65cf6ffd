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
  showAll: (pairs: number) => `Show all ${pairs} pairs`,
  showOne: 'Show one pair',
  position: 'position',
  pair: 'pair',
  angles: 'Angles (rad)',
  similarity: (isOne: boolean) => `cosine similarity of two positions in ${isOne ? 'one pair' : 'all pairs'}`,
  noteAll: (pairs: number, fast: string, slow: string) =>
    pairs === 1
      ? `Each curve is one position, numbered at the rim. There is only pair 0, which makes a full rotation in ${fast}.`
      : `Each curve is one position, numbered at the rim. At the rim is pair 0, which makes a full rotation in ${fast}; at the centre is pair ${pairs - 1}, in ${slow}.`,
  noteOne: (pair: number, turn: string) => `A position is a hand, numbered at the rim. Pair ${pair} makes a full rotation in ${turn}.`,
  rotationLength: (positions: string) => `${positions} positions`,
  still: 'infinitely many positions',
  description: (first: number, last: number, through: string) => `${through}, positions ${first} to ${last}`,
  through: (pairs: number) => (pairs === 1 ? 'Over one pair' : `Over all ${pairs} pairs`),
  alone: (pair: number) => `In pair ${pair} alone`,
  nearest: (through: string, position: number, nearest: number, cosine: string) =>
    `${through}, position ${position} is most similar to position ${nearest} (cosine ${cosine})`,
  atPair: (pair: number, angle: string, turn: string) => `Pair ${pair} rotates by ${angle} rad per position: a full rotation in ${turn}`,
  at: (position: number, pair: number, angle: string) => `Position ${position} rotates pair ${pair} by ${angle} rad`,
  proof: {
    quantity: 'largest difference between a score and the score of the same vectors shifted so that the query is at 0',
    toleranceSource: 'Float32 rounding in rotated vectors: 10⁻⁶ of the squared length of the longest vector.',
    passes: 'Moving two positions by the same amount rotates both curves equally: in every pair the angle between them is unchanged.',
    start: (tokens: string) =>
      `The first ${tokens} rotate at their original speeds, so the angles between two positions change if both are moved.`,
    fails: 'The angles between two positions change if both are moved.',
  },
} as const;
