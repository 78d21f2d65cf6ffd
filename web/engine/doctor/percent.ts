/** A residual as a percentage of two digits, without an exponent from a millionth of a percent to 100 %. */
export const percent = (residual: number): string => `${Number((100 * residual).toPrecision(2))} %`;
