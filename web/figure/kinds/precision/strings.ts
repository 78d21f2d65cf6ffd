export const strings = {
  question: 'What does bfloat16 do to RoPE?',
  instruction: 'Point at a position.',
  caption:
    'The score of two equal vectors at a fixed distance, by position in the text. It should be constant; the lines show its error for programs that round positions, frequencies or cosines to bfloat16 (bf16), for float32 throughout, and for Phasor, which computes angles in double.',
  labels: { apart: 'distance' },
  help: { apart: 'Number of tokens from key to query.' },
  position: 'position of the key',
  error: 'error of the score',
  variants: {
    core: 'Phasor',
    float32: 'float32',
    cosines: 'bf16 cosines',
    frequencies: 'bf16 frequencies',
    positions: 'bf16 positions',
  },
  variant: (name: string, value: string) => `${name} ${value}`,
  range: (worst: string, value: string, position: string) => `Largest error: ${value} with ${worst}, at position ${position}`,
  at: (position: string, values: string) => `Position ${position}: error ${values}`,
  proof: {
    quantity: 'largest error of the core’s own rotations',
    toleranceSource: 'Rounding of rotated vectors to float32.',
    passes: 'The core computes angles in double, so its scores depend only on the distance, up to rounding of float32.',
    fails: 'The scores of the core depend on more than the distance.',
  },
} as const;
