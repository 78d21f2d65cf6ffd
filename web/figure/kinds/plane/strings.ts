export const words = {
  question: 'What path do the positions take?',
  instruction: 'Press Play and follow the point.',
  caption: 'Each point is the vector of one position, projected onto the plane in which the vectors vary most.',
  position: 'position',
  coordinate: 'coordinate',
  axes: (component: string, share: string) => `${component} component, ${share}% of the variance`,
  components: ['first', 'second'],
  range: (first: string, second: string, rest: boolean) =>
    `Of the variance, ${first}% lies along the first axis and ${second}% along the second; ${rest ? 'the rest is not shown here' : 'that is all of it'}`,
  at: (position: number, x: string, y: string) => `Position ${position}: ${x} along the first component, ${y} along the second`,
  narrow: 'width: a table of one channel spans no plane; two are needed',
  explained: 'share of the variance',
  proof: {
    what: 'difference between the distance of the two closest positions along all components, and in the table',
    source: 'Rounding of float32 in the coordinates, relative to the longest vector.',
    holds:
      'All components together keep the two closest positions as far apart as they are. Where the plane leaves some out, points that are close here may be far apart.',
    amber: 'The components change distances: positions that are this close are told apart only by rounding.',
  },
} as const;
