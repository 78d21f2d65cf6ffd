export const strings = {
  question: 'Does attention depend on the order of a set?',
  instruction: 'Hover over a point and find it in the other order.',
  caption:
    'Points in the plane are tokens, and attention maps each point to a weighted mean of all points. They are shown in two orders: if order does not matter, each point is mapped to the same place in both.',
  labels: {
    points: 'points',
    count: 'number of points',
  },
  help: {
    points: 'Points separated by spaces, coordinates by commas: 0,1 1,0.5. If empty, points are drawn at random from the seed.',
    count: 'Number of random points to draw if none are provided.',
  },
  firstOrder: 'First order',
  otherOrder: 'Other order',
  pointsNote: 'Numbers: the points’ positions in the sequence. Dots: their outputs.',
  ringNote: 'Dashed rings: their outputs in the first order.',
  axisTitles: ['first coordinate', 'second coordinate'],
  pointTitle: 'point',
  coordinateTitle: 'coordinate',
  coordinates: ['x', 'y'],
  differenceTitle: 'difference',
  positionTitle: 'position',
  pointName: (index: number) => `point ${index + 1}`,
  coordinatePair: (x: string, y: string) => `(${x}, ${y})`,
  differencesReadout: (count: number, range: string) =>
    `${count === 1 ? 'One point' : `${count} points`}; output differences between the two orders are ${range}`,
  pointReadout: (point: string, from: number, to: number, before: string, after: string, difference: string) =>
    `The point at ${point} is mapped to ${before} at position ${from} and to ${after} at position ${to}: difference ${difference}`,
  invalidPoint: (text: string) => `“${text}” is not a point; expected coordinates such as 0.5,−1`,
  tooManyPoints: (count: number, max: number) => `has ${count} points; expected at most ${max}`,
  coordinateOutOfRange: (text: string, max: number) => `“${text}” has a coordinate out of range; expected −${max} to ${max}`,
  tables: {
    differences: 'largest difference in each point’s output between the two orders',
    before: 'outputs in the first order',
    after: 'outputs in the other order',
    order: 'the index of the point at each position of the other order, from 0',
    embeddings: 'embeddings: the points themselves',
  },
  proof: {
    quantity: 'largest difference in any output between the two orders (outputs matched by point)',
    toleranceSource: 'Float32 rounding in sums over the points, relative to the largest output.',
    single: 'One point has only one order.',
    passes: 'Each point is mapped to the same place in both orders: attention is a function of the set.',
    fails: 'Points are mapped differently in another order: attention is a function of the sequence, not of the set.',
  },
} as const;
