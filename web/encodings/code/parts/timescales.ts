/** The frequencies of tensor2tensor, whose min_timescale multiplies although it is called a timescale. */
export function timescales(low: unknown, high: unknown): string {
  const exponents = '(-np.arange(waves) / max(waves - 1, 1))';
  return Number(low) === 1 ? `${high} ** ${exponents}` : `${low} * (${high} / ${low}) ** ${exponents}`;
}
