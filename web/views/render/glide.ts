// Motion that shows identity: marks on their way from one picture to the next.
import type { Mark } from '../picture.ts';

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

const NUMBERS = ['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'width', 'height', 'stroke', 'opacity'] as const;

type Numbers = { readonly [Name in (typeof NUMBERS)[number]]?: number };

const mix = (from: number, to: number, t: number): number => from + (to - from) * t;

/** A way from one mark to another of its kind, as a function of 0 to 1; undefined when both stand at one place. */
export function markBetween(from: Mark, to: Mark): ((t: number) => Mark) | undefined {
  if (from.kind !== to.kind) return undefined;
  const [start, end]: Numbers[] = [from, to];
  const moving = NUMBERS.filter((name) => start?.[name] !== end?.[name] && start?.[name] !== undefined && end?.[name] !== undefined);
  const path = from.kind === 'path' && to.kind === 'path' ? between(from.d, to.d) : undefined;
  const turns = from.turn !== undefined && to.turn !== undefined && from.turn.degrees !== to.turn.degrees;
  if (moving.length === 0 && !path && !turns) return undefined;
  return (t) => ({
    ...to,
    ...Object.fromEntries(moving.map((name) => [name, mix(start?.[name] as number, end?.[name] as number, t)])),
    ...(path ? { d: path(t) } : {}),
    ...(from.turn && to.turn
      ? {
          turn: {
            degrees: mix(from.turn.degrees, to.turn.degrees, t),
            x: mix(from.turn.x, to.turn.x, t),
            y: mix(from.turn.y, to.turn.y, t),
          },
        }
      : {}),
  });
}

/**
 * All marks of a picture at 0 to 1 of their ways from those shown before: the ones with a key travel, the others stand at their
 * places at once. Undefined when none travels.
 */
export function marksBetween(before: readonly Mark[], after: readonly Mark[]): ((t: number) => readonly Mark[]) | undefined {
  const old = new Map(before.flatMap((mark) => (mark.key === undefined ? [] : [[`${mark.kind}:${mark.key}`, mark] as const])));
  const ways = after.map((mark) => {
    const from = mark.key === undefined ? undefined : old.get(`${mark.kind}:${mark.key}`);
    return from && markBetween(from, mark);
  });
  if (!ways.some(Boolean)) return undefined;
  return (t) => after.map((mark, index) => ways[index]?.(t) ?? mark);
}
