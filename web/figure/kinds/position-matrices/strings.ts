import type { DifferingScores } from './compute.ts';

const unitVectorText = (index: number): string => (index === 0 ? '(1, 0)' : '(0, 1)');

export const strings = {
  question: 'Can other matrices keep scores relative?',
  instruction: 'Drag the arrows of positions 1, 2 and 3 until the scores on each diagonal are equal.',
  caption:
    'Each position multiplies queries and keys by its own matrix, drawn as two arrows, the images of (1, 0) and (0, 1). Scores must depend only on the distance.',
  labels: { matrices: 'matrices' },
  help: { matrices: 'The matrices of positions 1, 2 and 3, four numbers each, row by row. The matrix of position 0 is the identity.' },
  wrongCount: (found: number) => `has ${found} numbers; expected 12, four for each of positions 1, 2 and 3`,
  outOfRange: (value: string, limit: number) => `${value} is out of range; expected −${limit} to ${limit}`,
  presets: { spiral: 'Spiral', stretch: 'Stretch', shear: 'Shear', squares: 'Faster and faster', flip: 'Flip', rotation: 'Rotate' },
  presetsLabel: 'Preset matrices',
  positionLabel: (position: number) => (position === 0 ? 'position 0: fixed' : `position ${position}`),
  arrowLabel: (position: number, column: number) => `Arrow of ${unitVectorText(column)} at position ${position}`,
  arrowValue: (x: string, y: string, degrees: number, length: string) => `to (${x}, ${y}): ${degrees} degrees, length ${length}`,
  keyboardHelp: 'Left and right arrow keys rotate the arrow by 5 degrees; up and down change its length by 0.05.',
  scoresTitle: (query: number, key: number) => `scores of query ${unitVectorText(query)} and key ${unitVectorText(key)}`,
  quantity: 'score',
  queryPositionTitle: 'query at',
  keyPositionTitle: 'key at',
  scoreReadout: (query: number, key: number, i: number, j: number, score: string) =>
    `Query ${unitVectorText(query)} at ${i} and key ${unitVectorText(key)} at ${j}: score ${score}`,
  twoScoresHeadline: ({ first: { positions } }: DifferingScores) => `Two scores for the distance ${positions[1] - positions[0]}`,
  twoScoresReason: ({ query, key, first, second }: DifferingScores, [a, b]: readonly [string, string]) => {
    const [firstCondition, secondCondition] = [first.positions, second.positions].map(([i, j]) =>
      i === j ? `both are at ${i}` : `they are at ${i} and ${j}`,
    );
    return `Query ${unitVectorText(query)} and key ${unitVectorText(key)} have the score ${a} if ${firstCondition}, but ${b} if ${secondCondition}.`;
  },
  oneScoreHeadline: 'One score for each distance',
  sameMatrixReason: 'Every position has the same matrix, so the score does not even depend on the distance.',
  rotationReason: (degrees: string) => `Each step rotates by ${degrees}°. You have drawn RoPE.`,
  reflectionReason: 'Each step is the same reflection: it distinguishes only odd from even distances.',
  verdicts: { passes: '✓ relative', fails: '≠ not relative' },
  arrowTitle: 'arrow',
  vectorLabel: (position: number, column: number) => `${unitVectorText(column)} at ${position}`,
  coordinates: ['x', 'y'],
  titles: { vectors: 'Arrows: the columns of the matrices', scores: 'Dot products of the arrows: scores' },
  proof: {
    quantity: 'largest difference between two scores of the same query and key at the same distance',
    toleranceSource: 'Rounding to float32 and to the six decimals stored in a link: 10⁻⁵ of the largest score.',
    passes: 'With these matrices, a score depends only on the distance between query and key.',
    fails: 'With these matrices, a score depends on the positions, not only on the distance between query and key.',
  },
} as const;
