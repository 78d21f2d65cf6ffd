// What a figure keeps from one computation to the next.
import { expect, it, vi } from 'vitest';
import { FigureCache } from '../../web/figure/runtime/outcome.ts';

const settled = () => new Promise((resolve) => setTimeout(resolve));

it('keeps one thing in each slot until another takes its place, or the figure ends', async () => {
  const kept = new FigureCache();
  const end = vi.fn();
  const make = vi.fn(async () => 'first');
  expect(await kept.get('model', 'a', make, end)).toBe('first');
  expect(await kept.get('model', 'a', make, end)).toBe('first');
  expect(await kept.get('run', 'a', async () => 'other', end)).toBe('other');
  expect([make.mock.calls.length, end.mock.calls.length]).toEqual([1, 0]);
  expect(await kept.get('model', 'b', async () => 'second', end)).toBe('second');
  await settled();
  expect(end.mock.calls).toEqual([['first']]);
  kept.dispose();
  await settled();
  expect(end.mock.calls.flat().sort()).toEqual(['first', 'other', 'second']);
});

it('keeps nothing that could not be made, and ends what comes late', async () => {
  const kept = new FigureCache();
  const end = vi.fn();
  await expect(kept.get('model', 'a', () => Promise.reject(new Error('lost')), end)).rejects.toThrow('lost');
  expect(await kept.get('model', 'a', async () => 'again', end)).toBe('again');
  let give = (_: string): void => {};
  const late = kept.get('model', 'b', () => new Promise<string>((resolve) => (give = resolve)), end);
  kept.dispose();
  give('late');
  await late;
  await settled();
  expect(end.mock.calls.flat()).toEqual(['again', 'late']);
});
