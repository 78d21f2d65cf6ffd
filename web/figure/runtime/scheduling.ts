// Schedules tasks: limits concurrency, coalesces calls, and defers invisible work.
import { effect, type ReadonlySignal, untracked } from '@preact/signals-core';

// A semaphore limits how many tasks run at a time; waiting tasks start in the order of their calls.
export class Semaphore {
  private readonly waiters: (() => void)[] = [];

  /** @param freeCount the number of tasks that may run at once */
  constructor(private freeCount: number) {}

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.freeCount > 0) this.freeCount -= 1;
    else await new Promise<void>((resolve) => this.waiters.push(resolve));
    try {
      return await work();
    } finally {
      const nextWaiter = this.waiters.shift();
      if (nextWaiter) nextWaiter();
      else this.freeCount += 1;
    }
  }
}

type GlobalWithScheduler = typeof globalThis & { readonly scheduler?: { yield?(): Promise<void> } };

/**
 * Resolves in the next task, after the browser has responded to the reader. A timer would fire later, because browsers delay nested timers by at
 * least 4 ms.
 */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as GlobalWithScheduler;
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

const queue: (() => void)[] = [];

function runNext(): void {
  const work = queue.shift();
  if (queue.length > 0) void nextTask().then(runNext);
  work?.();
}

/** Runs `work` in a separate task, so that the page responds between the tasks of many figures. */
export function enqueueTask(work: () => void): void {
  queue.push(work);
  if (queue.length === 1) void nextTask().then(runNext);
}

/**
 * Returns a function that runs `task` for one input at a time. An input that arrives during a run replaces the one that is waiting. The
 * function never throws: `failed` receives the errors of tasks, and `reportError` receives exceptions of `done` and `failed`.
 */
export function coalesce<Input, Result>(
  task: (input: Input) => Promise<Result>,
  done: (result: Result, input: Input) => void,
  failed: (error: unknown, input: Input) => void,
  reportError: (error: unknown) => void,
): (input: Input) => void {
  let waiting: { readonly input: Input } | undefined;
  let isRunning = false;

  /** Runs the task. @returns a function that calls `done` or `failed` with the outcome */
  const settle = async (input: Input): Promise<() => void> => {
    try {
      const result = await task(input);
      return () => done(result, input);
    } catch (error) {
      return () => failed(error, input);
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting) {
      const { input } = waiting;
      waiting = undefined;
      const reportOutcome = await settle(input);
      try {
        reportOutcome();
      } catch (error) {
        reportError(error);
      }
    }
    isRunning = false;
  };

  return (input) => {
    waiting = { input };
    if (!isRunning) void run();
  };
}

/** Time in ms without a request, after which a figure out of view is computed. */
const DEBOUNCE_MS = 150;

export interface Debounced<Input> {
  /** Requests a run. A later input replaces one that is still waiting. */
  submit(input: Input): void;
  dispose(): void;
}

/** Calls `run` immediately if `isUrgent`, otherwise after a pause in the requests. */
export function debounce<Input>(run: (input: Input) => void, isUrgent: ReadonlySignal<boolean>): Debounced<Input> {
  let waiting: { readonly input: Input } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runNow = (): void => {
    clearTimeout(timer);
    const lastRequest = waiting;
    waiting = undefined;
    if (lastRequest) run(lastRequest.input);
  };
  const stop = effect(() => {
    if (isUrgent.value) untracked(runNow);
  });
  return {
    submit(input) {
      waiting = { input };
      clearTimeout(timer);
      if (isUrgent.peek()) runNow();
      else timer = setTimeout(runNow, DEBOUNCE_MS);
    },
    dispose() {
      stop();
      clearTimeout(timer);
    },
  };
}

/** Resolves when the page is visible, or the signal aborts. */
export const whenVisible = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const resolveIfVisible = (): void => {
      if (document.hidden && !signal?.aborted) return;
      document.removeEventListener('visibilitychange', resolveIfVisible);
      resolve();
    };
    document.addEventListener('visibilitychange', resolveIfVisible);
    signal?.addEventListener('abort', resolveIfVisible, { once: true });
  });
