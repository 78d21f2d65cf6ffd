export const words = {
  question: 'What does bfloat16 do to RoPE?',
  instruction: 'Point at a position.',
  caption:
    'The score of two equal vectors that are always the same number of tokens apart, further and further along the text. It should never change; the lines show by how much it does where programs round positions, frequencies or cosines to bfloat16 (bf16), in float32 throughout, and in Phasor, which forms angles in double.',
  labels: { apart: 'Tokens apart' },
  help: { apart: 'How many tokens the query is after the key.' },
  position: 'position of the key',
  error: 'error of the score',
  ways: {
    core: 'Phasor',
    float32: 'float32',
    cosines: 'bf16 cosines',
    frequencies: 'bf16 frequencies',
    positions: 'bf16 positions',
  },
  way: (name: string, value: string) => `${name} ${value}`,
  range: (worst: string, value: string, position: string) => `Largest error: ${value} with ${worst}, at position ${position}`,
  at: (position: string, values: string) => `Position ${position}: error ${values}`,
  proof: {
    what: 'largest error of the core’s own rotations',
    source: 'Rounding of rotated vectors to float32.',
    holds: 'The core forms angles in double, so its scores depend on the distance alone, as far as float32 shows.',
    amber: 'The scores of the core depend on more than the distance here.',
  },
} as const;
