/** How many binary digits the last position has. */
export const digitsFor = (length: number, offset: number): number => (offset + length - 1).toString(2).length;
