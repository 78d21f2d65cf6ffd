/** A residual as a percentage with two significant digits, without an exponent between 0.000001 % and 100 %. */
export const percent = (residual: number): string => `${Number((100 * residual).toPrecision(2))} %`;
