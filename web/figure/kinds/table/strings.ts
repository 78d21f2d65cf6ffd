export const words = {
  question: 'What does each position look like?',
  instruction: 'Press Play, or point at a row: each is one position.',
  caption: 'One row for each position: the numbers that are added to the embedding of the token there.',
  position: 'position',
  channel: 'channel',
  value: 'value',
  range: (range: string, from: number, to: number, apart: string, count: number) =>
    // Of rows that are all equally far apart, which two are named is a matter of rounding.
    count < 2
      ? `Values ${range}.`
      : `Values ${range}. No two rows are closer than ${apart}, the distance between those of positions ${from} and ${to}.`,
  row: (position: number, range: string) => `Position ${position}: values ${range}`,
  cell: (position: number, channel: number, value: string) => `Position ${position}, channel ${channel}: ${value}`,
  proof: {
    what: (half: number) => `largest difference from the table of a text of ${half} ${half === 1 ? 'token' : 'tokens'}`,
    source: 'The same formula at the same position must give the same float32, to the last bit.',
    holds: 'A position looks the same in a short text and in a long one.',
    amber: 'What a position looks like depends on the length of the text.',
  },
} as const;
