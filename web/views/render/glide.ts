// Motion that shows identity: numbers of attributes on their way from one picture to the next.

/** How long a thing travels, ms. */
export const GLIDE = 200;

const NUMBER = /-?\d+(?:\.\d+)?(?:e-?\d+)?/g;

/** Slow at both ends; 0 to 1 for 0 to 1. */
export const ease = (t: number): number => t * t * (3 - 2 * t);

/**
 * A way from one attribute value to another: a function of 0 to 1. Undefined when the two are equal, or are not the same
 * words around their numbers ('M0,0C...' and 'M0,0L...'), or are colours and names, which change at once.
 */
export function between(from: string, to: string): ((t: number) => string) | undefined {
  if (from === to || from.startsWith('#') || to.startsWith('#')) return undefined;
  const starts = from.match(NUMBER);
  const ends = to.match(NUMBER);
  if (!starts || !ends || starts.length !== ends.length) return undefined;
  const words = to.split(NUMBER);
  if (from.split(NUMBER).join('\0') !== words.join('\0')) return undefined;
  return (t) => {
    if (t >= 1) return to;
    return words.reduce((text, word, i) => {
      const start = Number(starts[i - 1]);
      const value = start + (Number(ends[i - 1]) - start) * t;
      return `${text}${Math.round(value * 100) / 100}${word}`;
    });
  };
}
