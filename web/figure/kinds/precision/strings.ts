export const strings = {
  question: 'What does bfloat16 do to RoPE?',
  instruction: 'Point at a position.',
  caption:
    'The score of two equal vectors at a fixed distance should be the same at every position. The curves show the error in programs that round positions, frequencies or cosines to bfloat16 (bf16), in a float32 program, and in Phasor, which computes angles in double precision.',
  labels: { apart: 'distance' },
  help: { apart: 'Number of tokens from key to query.' },
  positionTitle: 'position of the key',
  errorTitle: 'error in the score',
  variants: {
    core: 'Phasor',
    float32: 'float32',
    cosines: 'bf16 cosines',
    frequencies: 'bf16 frequencies',
    positions: 'bf16 positions',
  },
  variantError: (name: string, value: string) => `${name} ${value}`,
  maxErrorReadout: (variant: string, value: string, position: string) => `Largest error: ${value} with ${variant}, at position ${position}`,
  positionReadout: (position: string, values: string) => `Position ${position}: error ${values}`,
  proof: {
    quantity: 'largest error in a score computed by the core',
    toleranceSource: 'Rounding of rotated vectors to float32.',
    passes: 'The core computes angles in double precision, so its scores depend only on the distance, up to float32 rounding.',
    fails: 'The core’s scores do not depend only on the distance.',
  },
} as const;
