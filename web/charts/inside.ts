import type { Box } from './picture.ts';

export const isInside = ({ x, y, width, height }: Box, px: number, py: number): boolean =>
  px >= x && px < x + width && py >= y && py < y + height;
