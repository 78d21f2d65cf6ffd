// The words around the presets of Compare.
export const CONVENTION_WORDS = {
  title: 'Which convention?',
  count: (count: number) => `${count} comparisons that settle one`,
  finding: 'What this comparison settles',
  same: 'The same',
  different: 'Not the same',
  checked: '✓ Checked',
  fails: '△ Does not hold',
  measured: (what: string, residual: string, tolerance: string) => `${what}: ${residual}; rounding explains at most ${tolerance}`,
  notHere: 'On this sentence the two do not differ.',
  notAsSaid: 'That is not what the comparison should show.',
  channels: 'Which channel goes where',
  inA: 'A',
  inB: 'B',
  channel: (b: number, a: number) => `channel ${b} of B is channel ${a} of A`,
  eachHead: (count: number) => `The ${count} channels of each head.`,
  ofTable: (count: number) => `The ${count} channels of the table.`,
} as const;
