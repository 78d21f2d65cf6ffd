// Figures out of view are computed when the user pauses, and nothing is computed twice.
import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { debounce } from '../../web/figure/runtime/scheduling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function fixture(isUrgent: boolean) {
  const urgent = signal(isUrgent);
  const calls: number[] = [];
  return { urgent, calls, debounced: debounce((input: number) => calls.push(input), urgent) };
}

it('runs urgent calls at once', () => {
  const { calls, debounced } = fixture(true);
  debounced.submit(1);
  debounced.submit(2);
  expect(calls).toEqual([1, 2]);
  vi.runAllTimers();
  expect(calls).toEqual([1, 2]);
});

it('waits for a pause and runs only the latest call', () => {
  const { calls, debounced } = fixture(false);
  for (let step = 0; step < 20; step += 1) {
    debounced.submit(step);
    vi.advanceTimersByTime(100);
  }
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(calls).toEqual([19]);
});

it('runs a pending call once as soon as it becomes urgent', () => {
  const { urgent, calls, debounced } = fixture(false);
  debounced.submit(1);
  urgent.value = true;
  expect(calls).toEqual([1]);
  urgent.value = false;
  urgent.value = true;
  vi.runAllTimers();
  expect(calls).toEqual([1]);
});

it('runs nothing after disposal', () => {
  const { urgent, calls, debounced } = fixture(false);
  debounced.submit(1);
  debounced.dispose();
  urgent.value = true;
  vi.runAllTimers();
  expect(calls).toEqual([]);
});
