export const countDigits = (length: number, offset: number): number => (offset + length - 1).toString(2).length;
