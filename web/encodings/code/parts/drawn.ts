// The numbers that stand for trained ones: what the core draws from a seed (cpp/include/phasor/random.h), rounded to float32 as it stores them.

const random = `def random(seed, count):
    """Uniform in (0, 1), the same on every machine: splitmix64 (Steele, Lea and Flood 2014)."""
    z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53 + 2.0**-54
`;

const uniform = (kept: (array: string) => string): string => `def uniform(seed, shape, low, high):
    """Uniform numbers that stand for trained ones."""
    u = random(seed, math.prod(shape)).reshape(shape)
    return ${kept('(low + (high - low) * u).astype(np.float32)')}
`;

const gaussian = (kept: (array: string) => string): string => `def gaussian(seed, shape):
    """Independent N(0, 1) numbers that stand for trained ones, by the Box-Muller transform."""
    count = math.prod(shape)
    u = random(seed, count + count % 2).reshape(-1, 2)
    radius, direction = np.sqrt(-2 * np.log(u[:, 0])), 2 * np.pi * u[:, 1]
    pairs = np.stack([radius * np.cos(direction), radius * np.sin(direction)], axis=1)
    return ${kept('pairs.reshape(-1)[:count].reshape(shape).astype(np.float32)')}
`;

const asTensor = (array: string): string => `torch.from_numpy(${array}).double()`;
const asArray = (array: string): string => array;

/** The functions that a program draws with, to be put before it; empty when it draws nothing. */
export function drawingFunctions(text: string, language: 'numpy' | 'pytorch'): string {
  const kept = language === 'numpy' ? asArray : asTensor;
  const used = [/\buniform\(/.test(text) ? uniform(kept) : '', /\bgaussian\(/.test(text) ? gaussian(kept) : ''].filter(Boolean);
  return used.length > 0 || /\brandom\(/.test(text) ? [random, ...used].join('\n\n') : '';
}

/** The seed of one array of an encoding, which draws each from a stream of its own. */
export const streamOf = (seed: unknown, stream: number): number => (Number(seed) * 16 + stream) % 2 ** 32;
