export const strings = {
  question: 'Which vector does each position have?',
  instruction: 'Press Play, or point at a row: each is one position.',
  caption: 'One row per position: the vector that is added to the embedding of its token.',
  position: 'position',
  channel: 'channel',
  value: 'value',
  rangeReadout: (valueRange: string, from: number, to: number, distance: string, rowCount: number) =>
    // If several pairs of rows are equally close, rounding determines which pair is named.
    rowCount < 2
      ? `Values ${valueRange}.`
      : `Values ${valueRange}. No two rows are closer than ${distance}, the distance between the rows of positions ${from} and ${to}.`,
  clippedReadout: (rangeText: string, count: number, limit: number) =>
    `${rangeText} Colours are clipped at ±${limit}; ${count === 1 ? 'one value is' : `${count} values are`} outside this range.`,
  rowReadout: (position: number, range: string) => `Position ${position}: values ${range}`,
  cellReadout: (position: number, channel: number, value: string) => `Position ${position}, channel ${channel}: ${value}`,
  proof: {
    quantity: (shorterLength: number) => `largest difference from the table for a ${shorterLength}-token text`,
    toleranceSource: 'The same formula at the same position must give bitwise identical float32 numbers.',
    passes: 'The vector of a position is the same in a short text and in a long one.',
    fails: 'The vector of a position depends on the length of the text.',
  },
} as const;
