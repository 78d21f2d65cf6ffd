export const strings = {
  question: 'Which vector does each position have?',
  instruction: 'Press Play, or point at a row: each is one position.',
  caption: 'One row per position: the vector that is added to the embedding of its token.',
  position: 'position',
  channel: 'channel',
  value: 'value',
  range: (range: string, from: number, to: number, apart: string, count: number) =>
    // If several pairs of rows are equally close, rounding determines which pair is named.
    count < 2
      ? `Values ${range}.`
      : `Values ${range}. No two rows are closer than ${apart}, the distance between the rows of positions ${from} and ${to}.`,
  beyond: (sentence: string, count: number, end: number) =>
    `${sentence} Colours are clipped at ±${end}; ${count === 1 ? 'one value is' : `${count} values are`} outside this range.`,
  row: (position: number, range: string) => `Position ${position}: values ${range}`,
  cell: (position: number, channel: number, value: string) => `Position ${position}, channel ${channel}: ${value}`,
  proof: {
    quantity: (half: number) => `largest difference from the table for a ${half}-token text`,
    toleranceSource: 'The same formula at the same position must give bitwise identical float32 numbers.',
    passes: 'The vector of a position is the same in a short text and in a long one.',
    fails: 'The vector of a position depends on the length of the text.',
  },
} as const;
