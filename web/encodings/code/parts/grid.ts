/** A function that says in which row and column of a picture tokens are. */
export const grid = (columns: unknown): string => `def grid(positions):
    """Row and column of each patch; where a position is one number, patches are counted row by row."""
    places = np.asarray(positions, dtype=np.float64)
    if places.ndim == 2:
        return places[:, 0], places[:, 1]
    return np.floor(places / ${columns}), places % ${columns}`;
