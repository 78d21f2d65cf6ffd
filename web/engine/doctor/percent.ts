/** Formats a residual as a percentage with two significant digits; from 0.000001% to 100% without an exponent. */
export const formatPercent = (residual: number): string => `${Number((100 * residual).toPrecision(2))}%`;
