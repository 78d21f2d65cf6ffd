export const words = {
  question: 'What does a position do to a query and a key?',
  caption:
    'Each pair of channels is a vector in a plane that is rotated by an angle that grows with the position: of the query q and of the key k. Dashed: before it is rotated. Each circle is as large as its longest vector.',
  labels: {
    pair: 'pair',
    vector: 'digits of',
    vectors: 'vectors',
  },
  help: {
    pair: 'The pair of channels that is shown large, counted from 0.',
    vector: 'Whether the formulas show the query or the key.',
    vectors: 'Drawn at random from the seed, or all ones: then every pair points the same way before it is rotated.',
  },
  position: (at: string) => `position ${at}`,
  title: (pair: number, a: number, b: number, where: string) => `Pair ${pair}: channels ${a} and ${b}, ${where}`,
  pairing: { interleaved: 'neighbours', half_split: 'one from each half' },
  rotated: (name: string, at: string, angle: string, isLine: boolean, isCut: boolean) =>
    `${name} at position ${at}: rotated by ${isLine ? `${multiple(at)}θ = ` : ''}${angle} rad${isCut ? ' (arc shortened by whole rotations)' : ''}`,
  complex: (gain: boolean) => (gain ? 'As complex numbers: times g (cos + i sin), with a gain g' : 'As complex numbers: times cos + i sin'),
  matrix: (gain: boolean) => (gain ? 'As a matrix: a rotation, times a gain' : 'As a rotation matrix'),
  efficient: {
    interleaved: 'As programs do it: x ⊙ cos + rotate_every_two(x) ⊙ sin',
    half_split: 'As programs do it: x ⊙ cos + rotate_half(x) ⊙ sin',
  },
  grid: (pairs: number, hasNames: boolean) =>
    `${pairs === 1 ? 'The only pair' : `All ${pairs} pairs`}, by ${hasNames ? 'channels' : 'number'}; full head: q, open head: k`,
  axes: (a: number, b: number, length: string) => `→ channel ${a}   ↑ channel ${b}   circle: length ${length}`,
  channels: (a: number, b: number) => `${a}, ${b}`,
  description: (pairs: string, pairing: string, q: string, k: string, score: string) =>
    `Vectors of ${pairs} of channels, ${pairing}. q is rotated by ${q}, k by ${k}. Score ${score}.`,
  angle: (angle: string) => `${angle} rad`,
  range: (pairs: string, q: string, qRange: string, k: string, kRange: string, score: string) =>
    `${pairs}: q at position ${q} is rotated by ${qRange}, k at position ${k} by ${kRange}. Score q · k: ${score}.`,
  at: (pair: number, a: number, b: number, q: string, qAngle: string, k: string, kAngle: string, score: string) =>
    `Pair ${pair} (channels ${a} and ${b}): q at position ${q} is rotated by ${qAngle} rad, k at position ${k} by ${kAngle} rad. Score q · k over all pairs: ${score}.`,
  tables: {
    own: (name: string) => `${name} before rotation`,
    rotated: 'q and k after rotation',
    phases: 'Angles (rad)',
    scores: 'Scores q · k',
  },
  channel: 'channel',
  pair: 'pair',
  vector: 'vector',
  query: 'query at',
  key: 'key at',
  row: (name: string, at: string) => `${name} at ${at}`,
  proof: {
    what: 'largest difference between a score and that of the same vectors moved so that the query is at 0',
    source: 'Rounding of float32 in rotated vectors: 10⁻⁶ of the squared length of the longest.',
    holds: 'The score depends only on how far apart query and key are.',
    patches:
      'Positions count patches of a picture row by row here, so patches equally far apart in this count are not equally far apart in the picture.',
    start: (tokens: string) =>
      `The first ${tokens} rotate at different speeds from the rest, so scores with them depend on where they are.`,
    amber: 'The score depends on where query and key are, not only on how far apart they are.',
  },
} as const;

/** '5' before θ; '' for 1. */
const multiple = (at: string): string => (at === '1' ? '' : at);
