/** Positions as a column, counted from `start`. */
export const column = (start: unknown): string => {
  const positions = 'np.asarray(positions, dtype=np.float64)[:, None]';
  return Number(start) === 0 ? positions : `${positions} + ${start}`;
};
