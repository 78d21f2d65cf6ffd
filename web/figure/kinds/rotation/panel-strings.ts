// Words of what comes behind the button, which is fetched when it is opened.
export const panelWords = {
  title: (pair: number, a: number, b: number, where: string) => `Pair ${pair}: channels ${a} and ${b}, ${where}`,
  pairing: { interleaved: 'neighbours', half_split: 'one from each half' },
  rotated: (name: string, at: string, angle: string, isLine: boolean) =>
    `${name} at position ${at}: rotated by ${isLine ? `${multiple(at)}θ = ` : ''}${angle} rad`,
  complex: (gain: boolean) => (gain ? 'As complex numbers: times g (cos + i sin), with a gain g' : 'As complex numbers: times cos + i sin'),
  matrix: (gain: boolean) => (gain ? 'As a matrix: a rotation, times a gain' : 'As a rotation matrix'),
  efficient: {
    interleaved: 'As programs do it: x ⊙ cos + rotate_every_two(x) ⊙ sin',
    half_split: 'As programs do it: x ⊙ cos + rotate_half(x) ⊙ sin',
  },
  sum: (total: string, isRegular: boolean) =>
    `Together ${total}.${isRegular ? ' Each pair turns at its own speed. When both move, no angle between two hands changes.' : ''}`,
} as const;

/** '5' before θ; '' for 1. */
const multiple = (at: string): string => (at === '1' ? '' : at);
