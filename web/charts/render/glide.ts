// Animated transitions between pictures: marks with the same key move to their new places.
import type { Mark } from '../picture.ts';

const NUMBER = /-?\d+(?:\.\d+)?(?:e-?\d+)?/g;

/**
 * A function that interpolates between two attribute values, for t from 0 to 1. Undefined if the values are equal, differ in more than their
 * numbers ('M0,0C...' and 'M0,0L...'), or are colours or names, which change immediately.
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

/** A function that interpolates between two marks of the same kind, for t from 0 to 1; undefined if nothing moves. */
export function markBetween(from: Mark, to: Mark): ((t: number) => Mark) | undefined {
  if (from.kind !== to.kind) return undefined;
  const [start, end]: Numbers[] = [from, to];
  const moving = NUMBERS.filter((name) => start?.[name] !== end?.[name] && start?.[name] !== undefined && end?.[name] !== undefined);
  const path = from.kind === 'path' && to.kind === 'path' ? between(from.d, to.d) : undefined;
  const rotates = from.rotation !== undefined && to.rotation !== undefined && from.rotation.degrees !== to.rotation.degrees;
  if (moving.length === 0 && !path && !rotates) return undefined;
  return (t) => ({
    ...to,
    ...Object.fromEntries(moving.map((name) => [name, mix(start?.[name] as number, end?.[name] as number, t)])),
    ...(path ? { d: path(t) } : {}),
    ...(from.rotation && to.rotation
      ? {
          rotation: {
            degrees: mix(from.rotation.degrees, to.rotation.degrees, t),
            x: mix(from.rotation.x, to.rotation.x, t),
            y: mix(from.rotation.y, to.rotation.y, t),
          },
        }
      : {}),
  });
}

/**
 * A function that interpolates between the previous marks and those of a new picture, for t from 0 to 1: marks with a key move, others appear
 * at their new places immediately. Undefined if nothing moves.
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
