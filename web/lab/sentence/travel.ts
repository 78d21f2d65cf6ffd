// Animates a word from its old place to its new one.
import type { Box } from '../../views/picture.ts';

const DURATION = 200;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

export function travel(element: HTMLElement, from: Pick<Box, 'x' | 'y'>, to: Pick<Box, 'x' | 'y'>): void {
  const [x, y] = [from.x - to.x, from.y - to.y];
  if (reducedMotion.matches || (x === 0 && y === 0)) return;
  element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], { duration: DURATION, easing: 'ease-in-out' });
}
