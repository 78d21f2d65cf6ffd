export const strings = {
  question: 'How are sinusoids like binary digits?',
  instruction: 'Go down the rows, or press Play: fast hands change first, slow hands later.',
  caption: 'Each pair of a sine and a cosine is a clock hand. Fast hands change like low digits, slow hands like high ones, but smoothly.',
  position: 'position',
  fastToSlowHeading: 'fast to slow',
  pairsHeading: 'pair',
  digitsHeading: 'binary digits',
  rangeReadout: (first: number, last: number, handCount: number, digitCount: number) =>
    `Positions ${first} to ${last}: ${handCount} ${handCount === 1 ? 'hand' : 'hands'} and ${digitCount} binary ${digitCount === 1 ? 'digit' : 'digits'}`,
  handReadout: (position: number, pair: number, sine: string, cosine: string, wavelength: string) =>
    `Position ${position}, pair ${pair}: sine ${sine}, cosine ${cosine}, ${wavelength}`,
  digitReadout: (position: number, digitValue: number, digit: number, digits: string) =>
    `Position ${position} is ${digits} in binary: the digit worth ${digitValue} is ${digit}`,
  positionReadout: (position: number, digits: string) => `Position ${position} is ${digits} in binary`,
  sine: 'sine',
  cosine: 'cosine',
  pair: 'pair',
  bitValue: 'digit value',
  digitsTitle: 'binary digits',
  proof: {
    quantity: 'largest difference in dot product between two pairs of positions that are equally far apart',
    toleranceSource: 'Float32 rounding in the sum over the channels.',
    passes: 'Each hand rotates at a constant rate, so the dot product of two positions depends only on their distance.',
    fails: 'A hand does not rotate at a constant rate: the dot product also depends on absolute position.',
  },
} as const;
