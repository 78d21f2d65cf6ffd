const minus = (value: number): string => (value < 0 ? `−${-value}` : String(value));

export const words = {
  question: 'Can one matrix move every position by k?',
  instruction: 'Change the position: the hands turn, the matrix stays.',
  caption: 'The matrix rotates the hand of each pair of channels by an angle of its own. The same matrix moves every position.',
  labels: {
    shift: 'shift k',
    position: 'position',
  },
  help: {
    shift: 'How far positions are moved.',
    position: 'The position that is shown.',
  },
  position: 'position',
  pair: 'pair of channels',
  channel: 'channel',
  from: 'channel at p',
  to: 'channel at p + k',
  entry: 'entry of the matrix',
  value: 'value',
  rowName: (position: number) => String(position),
  range: (k: number, width: number, position: number) =>
    `A matrix of ${width} × ${width} moves each position by ${minus(k)}: position ${position} to ${position + k}`,
  cell: (to: number, from: number, value: string) => `Channel ${to} takes channel ${from} times ${value}`,
  hand: (position: number, pair: number, sine: string, cosine: string) =>
    `Position ${position}, pair ${pair}: sine ${sine}, cosine ${cosine}`,
  rowCell: (position: number, channel: number, value: string) => `Position ${position}, channel ${channel}: ${value}`,
  tooFar: (k: number, length: number) =>
    `shift: ${minus(k)} leads out of the ${length} positions; it must be from ${minus(1 - length)} to ${length - 1}`,
  outside: (position: number, k: number, from: number, to: number) =>
    `position: ${position} shifted by ${minus(k)} is not among the positions; it must be from ${from} to ${to}`,
  matrixTitle: 'the matrix M',
  rowsTitle: 'rows of the table, before and after',
  proof: {
    what: (k: number) => `largest |table[p ${k < 0 ? '−' : '+'} ${Math.abs(k)}] − M table[p]| over all positions p`,
    source: 'Table and matrix are rounded to float32; an entry of the product is a sum of two rounded products.',
    holds: 'The same matrix moves every position: it depends on the shift alone.',
    amber: 'The matrix does not move every position.',
  },
} as const;
