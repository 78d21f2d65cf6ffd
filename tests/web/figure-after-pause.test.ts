// Figures out of view are computed when the user pauses, and nothing is computed twice.
import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { debounce } from '../../web/figure/runtime/scheduling.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function fixture(isUrgent: boolean) {
  const urgent = signal(isUrgent);
  const ran: number[] = [];
  return { urgent, ran, paused: debounce((input: number) => ran.push(input), urgent) };
}

it('runs urgent calls at once', () => {
  const { ran, paused } = fixture(true);
  paused.submit(1);
  paused.submit(2);
  expect(ran).toEqual([1, 2]);
  vi.runAllTimers();
  expect(ran).toEqual([1, 2]);
});

it('waits for a pause and runs only the latest call', () => {
  const { ran, paused } = fixture(false);
  for (let step = 0; step < 20; step += 1) {
    paused.submit(step);
    vi.advanceTimersByTime(100);
  }
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(ran).toEqual([19]);
});

it('runs a pending call once as soon as it becomes urgent', () => {
  const { urgent, ran, paused } = fixture(false);
  paused.submit(1);
  urgent.value = true;
  expect(ran).toEqual([1]);
  urgent.value = false;
  urgent.value = true;
  vi.runAllTimers();
  expect(ran).toEqual([1]);
});

it('runs nothing after disposal', () => {
  const { urgent, ran, paused } = fixture(false);
  paused.submit(1);
  paused.dispose();
  urgent.value = true;
  vi.runAllTimers();
  expect(ran).toEqual([]);
});
