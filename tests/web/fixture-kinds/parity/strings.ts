export const words = {
  question: 'Do even and odd positions differ?',
  instruction: 'Point at a row.',
  caption: 'Every other row of the table.',
  labels: { parity: 'positions that are shown' },
  help: { parity: 'Every other position, from 0 or from 1 on.' },
  proof: { what: 'nothing', source: 'None.', holds: 'It holds.', amber: 'It does not hold.' },
} as const;
