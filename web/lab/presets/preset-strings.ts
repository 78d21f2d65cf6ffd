// Strings for the presets of the question Compare.
export const CONVENTION_STRINGS = {
  title: 'Conventions',
  count: (count: number) => `${count} comparisons`,
  finding: 'Result',
  same: 'Equal',
  different: 'Different',
  checked: '✓ Verified',
  fails: '≠ Differs',
  measured: (tensor: string, residual: string, tolerance: string) => `${tensor}: ${residual}; rounding alone: at most ${tolerance}`,
  notHere: 'A and B do not differ for this sentence.',
  notAsSaid: 'Unexpected result.',
  channels: 'Channel mapping',
  inA: 'A',
  inB: 'B',
  channel: (b: number, a: number) => `channel ${b} of B is channel ${a} of A`,
  eachHead: (count: number) => `The ${count} channels of each head.`,
  ofTable: (count: number) => `The ${count} channels of the table.`,
} as const;
