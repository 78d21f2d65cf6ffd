export const strings = {
  question: 'How are position vectors arranged?',
  instruction: 'Press Play and follow the point.',
  caption: 'Each point is the vector of one position, projected onto the plane in which the vectors vary most.',
  positionTitle: 'position',
  coordinateTitle: 'coordinate',
  axisTitle: (component: string, share: string) => `${component} component, ${share}% of the variance`,
  components: ['first', 'second'],
  varianceReadout: (first: string, second: string, hasRest: boolean) =>
    `The first axis explains ${first}% of the variance, the second ${second}%; ${hasRest ? 'the rest is not shown' : 'no variance remains'}`,
  positionReadout: (position: number, x: string, y: string) =>
    `Position ${position}: ${x} along the first component, ${y} along the second`,
  tooFewChannels: 'dim: one channel is too few for a plane; expected at least 2',
  explainedVariance: 'share of the variance',
  proof: {
    quantity: 'change in the distance between the two closest positions when all components are kept',
    toleranceSource: 'Float32 rounding in the coordinates, relative to the longest vector.',
    passes:
      'All components together preserve the distance between the two closest positions. The plane omits some components, so points that are close here may be far apart.',
    fails: 'The distance between the two closest positions is not preserved, because it is as small as a rounding error.',
  },
} as const;
