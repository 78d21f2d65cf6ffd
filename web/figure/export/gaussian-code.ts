// The normal numbers of the core in Python, for programs that begin with them.

/** gaussian(seed, rows, columns), in NumPy. */
export const GAUSSIAN = `def gaussian(seed, rows, columns):
    """Normal numbers from splitmix64 by the Box-Muller transform."""
    uniform, state = [], seed
    for _ in range(rows * columns + rows * columns % 2):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        uniform.append((((z ^ (z >> 31)) >> 11) + 0.5) * 2.0**-53)
    radius, turn = np.array(uniform).reshape(-1, 2).T
    radius = np.sqrt(-2 * np.log(radius))
    pairs = np.stack([radius * np.cos(2 * np.pi * turn), radius * np.sin(2 * np.pi * turn)], axis=1)
    return pairs.reshape(-1)[: rows * columns].reshape(rows, columns)


`;
