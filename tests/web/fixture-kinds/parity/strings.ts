export const words = {
  question: 'Do even and odd positions differ?',
  instruction: 'Point at a row.',
  caption: 'Every other row of the table.',
  labels: { parity: 'positions that are shown' },
  help: { parity: 'Every other position, from 0 or from 1 on.' },
  proof: { quantity: 'nothing', toleranceSource: 'None.', passes: 'It holds.', fails: 'It does not hold.' },
} as const;
