/** Formats a residual as a percentage with two significant digits. Values from 0.000001% to 100% have no exponent. */
export const formatPercent = (residual: number): string => `${Number((100 * residual).toPrecision(2))}%`;
