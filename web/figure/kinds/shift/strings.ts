const formatInteger = (value: number): string => (value < 0 ? `−${-value}` : String(value));

export const strings = {
  question: 'Can one matrix move every position by k?',
  instruction: 'Change the position: the hands rotate, but the matrix stays the same.',
  caption: 'The matrix rotates the hand of each pair of channels by its own angle. The same matrix moves every position.',
  labels: {
    shift: 'shift k',
    position: 'position',
  },
  help: {
    shift: 'Number of positions to shift by.',
    position: 'The displayed position.',
  },
  position: 'position',
  pair: 'pair of channels',
  channel: 'channel',
  sourceChannel: 'channel at p',
  targetChannel: 'channel at p + k',
  matrixEntry: 'entry of the matrix',
  value: 'value',
  rowLabel: (position: number) => String(position),
  rangeReadout: (k: number, channelCount: number, position: number) =>
    `The ${channelCount} × ${channelCount} matrix moves each position by ${formatInteger(k)}: position ${position} to ${position + k}`,
  cellReadout: (to: number, from: number, value: string) => `Channel ${to} receives channel ${from} times ${value}`,
  handReadout: (position: number, pair: number, sine: string, cosine: string) =>
    `Position ${position}, pair ${pair}: sine ${sine}, cosine ${cosine}`,
  rowCellReadout: (position: number, channel: number, value: string) => `Position ${position}, channel ${channel}: ${value}`,
  shiftOutOfRange: (k: number, length: number) =>
    `shift: ${formatInteger(k)} is out of range for ${length} positions; expected ${formatInteger(1 - length)} to ${length - 1}`,
  positionOutOfRange: (position: number, k: number, minPosition: number, maxPosition: number) =>
    `position: ${position} shifted by ${formatInteger(k)} is out of range; expected ${minPosition} to ${maxPosition}`,
  matrixTitle: 'the matrix M',
  rowsTitle: 'rows of the table, before and after the shift',
  proof: {
    quantity: (k: number) => `largest |table[p ${k < 0 ? '−' : '+'} ${Math.abs(k)}] − M table[p]| over all positions p`,
    toleranceSource: 'The table and the matrix are rounded to float32; each entry of the product is a sum of two rounded products.',
    passes: 'The same matrix moves every position: it depends only on the shift.',
    fails: 'The matrix does not move every position.',
  },
} as const;
