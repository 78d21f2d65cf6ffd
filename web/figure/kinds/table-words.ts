export const words = {
  question: 'What does each position look like?',
  caption: 'One row for each position: the numbers that are added to the embedding of the token there.',
  position: 'position',
  channel: 'channel',
  value: 'value',
  range: (range: string, from: number, to: number, apart: string, count: number) =>
    count < 2 ? `Values ${range}.` : `Values ${range}. The two most similar rows are those of positions ${from} and ${to}, ${apart} apart.`,
  even: (range: string, apart: string) => `Values ${range}. Neighbouring rows are all ${apart} apart, and no two rows are closer.`,
  row: (position: number, range: string) => `Position ${position}: values ${range}`,
  cell: (position: number, channel: number, value: string) => `Position ${position}, channel ${channel}: ${value}`,
  proof: {
    what: (half: number) => `largest difference from the table of a text of ${half} ${half === 1 ? 'token' : 'tokens'}`,
    source: 'The same formula at the same position must give the same float32, to the last bit.',
    holds: 'A position looks the same in a short text and in a long one.',
    amber: 'What a position looks like depends on the length of the text.',
  },
} as const;
