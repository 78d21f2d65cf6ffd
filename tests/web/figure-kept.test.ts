// The cache of a figure between computations.
import { expect, it, vi } from 'vitest';
import { FigureCache } from '../../web/figure/runtime/outcome.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve));

it('keeps one entry per slot until it is replaced or the cache is disposed', async () => {
  const stored = new FigureCache();
  const end = vi.fn();
  const load = vi.fn(async () => 'first');
  expect(await stored.get('model', 'a', load, end)).toBe('first');
  expect(await stored.get('model', 'a', load, end)).toBe('first');
  expect(await stored.get('run', 'a', async () => 'other', end)).toBe('other');
  expect([load.mock.calls.length, end.mock.calls.length]).toEqual([1, 0]);
  expect(await stored.get('model', 'b', async () => 'second', end)).toBe('second');
  await settle();
  expect(end.mock.calls).toEqual([['first']]);
  stored.dispose();
  await settle();
  expect(end.mock.calls.flat().sort()).toEqual(['first', 'other', 'second']);
});

it('does not keep a failed entry, and ends an entry that resolves after disposal', async () => {
  const saved = new FigureCache();
  const end = vi.fn();
  await expect(saved.get('model', 'a', () => Promise.reject(new Error('lost')), end)).rejects.toThrow('lost');
  expect(await saved.get('model', 'a', async () => 'again', end)).toBe('again');
  let give = (_: string): void => {};
  const late = saved.get('model', 'b', () => new Promise<string>((resolve) => (give = resolve)), end);
  saved.dispose();
  give('late');
  await late;
  await settle();
  expect(end.mock.calls.flat()).toEqual(['again', 'late']);
});
