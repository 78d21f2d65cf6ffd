// Schedules tasks: limits how many run at a time, coalesces calls, and defers work of figures and pages that are not visible.
import { effect, type ReadonlySignal, untracked } from '@preact/signals-core';

// A semaphore limits how many tasks run at a time; waiting tasks start in the order of their calls.
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  /** @param free the number of tasks that may run at once */
  constructor(private free: number) {}

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}

// Work for many figures at once runs as one task per figure, so that the page can scroll and respond between them.
type Yielding = typeof globalThis & { readonly scheduler?: { yield?(): Promise<void> } };

/**
 * Resolves in the next task, after the browser has responded to the reader. A timer would fire later, because browsers delay nested timers by at
 * least 4 ms.
 */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as Yielding;
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

const waiting: (() => void)[] = [];

function next(): void {
  const work = waiting.shift();
  if (waiting.length > 0) void nextTask().then(next);
  work?.();
}

export function enqueueTask(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) void nextTask().then(next);
}

/**
 * Runs one task at a time, always for the newest input: an input that arrives while a task runs replaces the one waiting. The returned
 * function never throws: `failed` receives the errors of tasks, and `reportError` receives exceptions of `done` and `failed`.
 */
export function coalesce<Input, Result>(
  task: (input: Input) => Promise<Result>,
  done: (result: Result, input: Input) => void,
  failed: (error: unknown, input: Input) => void,
  reportError: (error: unknown) => void,
): (input: Input) => void {
  let waiting: { readonly input: Input } | undefined;
  let running = false;

  /** Runs the task. @returns the callback to call with its outcome */
  const settle = async (input: Input): Promise<() => void> => {
    try {
      const result = await task(input);
      return () => done(result, input);
    } catch (error) {
      return () => failed(error, input);
    }
  };

  const run = async (): Promise<void> => {
    running = true;
    while (waiting) {
      const { input } = waiting;
      waiting = undefined;
      const report = await settle(input);
      try {
        report();
      } catch (error) {
        reportError(error);
      }
    }
    running = false;
  };

  return (input) => {
    waiting = { input };
    if (!running) void run();
  };
}

// A debouncer: figures out of view wait until a slider pauses, so that they do not delay figures in view.

/** The length of a pause without further requests, in ms. */
const PAUSE = 150;

export interface AfterPause<Input> {
  /** Requests a run; the latest input replaces one that waits. */
  ask(input: Input): void;
  dispose(): void;
}

/** Calls `run` at once while `isUrgent`, and otherwise after a pause without further requests. */
export function debounce<Input>(run: (input: Input) => void, isUrgent: ReadonlySignal<boolean>): AfterPause<Input> {
  let waiting: { readonly input: Input } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    clearTimeout(timer);
    const requested = waiting;
    waiting = undefined;
    if (requested) run(requested.input);
  };
  const stop = effect(() => {
    if (isUrgent.value) untracked(now);
  });
  return {
    ask(input) {
      waiting = { input };
      clearTimeout(timer);
      if (isUrgent.peek()) now();
      else timer = setTimeout(now, PAUSE);
    },
    dispose() {
      stop();
      clearTimeout(timer);
    },
  };
}

// Training waits while the page is hidden.

/** Resolves when the page is visible, or the signal aborts. */
export const whenVisible = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      if (document.hidden && !signal?.aborted) return;
      document.removeEventListener('visibilitychange', end);
      resolve();
    };
    document.addEventListener('visibilitychange', end);
    signal?.addEventListener('abort', end, { once: true });
  });
