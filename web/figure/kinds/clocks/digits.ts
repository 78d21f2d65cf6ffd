/** Number of binary digits of the last position. */
export const countDigits = (length: number, offset: number): number => (offset + length - 1).toString(2).length;
