import { effect, type ReadonlySignal, untracked } from '@preact/signals-core';

// Limits how many tasks run concurrently. Waiting tasks start in the order in which they were submitted.
export class Semaphore {
  private readonly waiters: (() => void)[] = [];

  /** @param freeCount number of tasks that may run concurrently */
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
 * Resolves in a new task, so that the browser can handle user input first. A timer would fire later, because browsers delay nested timers
 * by at least 4 ms.
 */
export function waitForNextTask(): Promise<void> {
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

const taskQueue: (() => void)[] = [];

function runNext(): void {
  const work = taskQueue.shift();
  if (taskQueue.length > 0) void waitForNextTask().then(runNext);
  work?.();
}

/** Runs `work` in a separate task, so that the page stays responsive while many figures are updated. */
export function enqueueTask(work: () => void): void {
  taskQueue.push(work);
  if (taskQueue.length === 1) void waitForNextTask().then(runNext);
}

/**
 * Returns a function that runs `task` for one input at a time. An input that arrives during a run waits and replaces any input that is
 * already waiting. The function never throws: `onFailed` receives the errors of tasks, and `reportError` receives exceptions of `onDone`
 * and `onFailed`.
 */
export function coalesce<Input, Result>(
  task: (input: Input) => Promise<Result>,
  onDone: (result: Result, input: Input) => void,
  onFailed: (error: unknown, input: Input) => void,
  reportError: (error: unknown) => void,
): (input: Input) => void {
  let waitingInput: { readonly input: Input } | undefined;
  let isRunning = false;

  /**
   * Runs the task.
   * @returns a function that reports the outcome to `onDone` or `onFailed`
   */
  const settle = async (input: Input): Promise<() => void> => {
    try {
      const result = await task(input);
      return () => onDone(result, input);
    } catch (error) {
      return () => onFailed(error, input);
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (waitingInput) {
      const { input } = waitingInput;
      waitingInput = undefined;
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
    waitingInput = { input };
    if (!isRunning) void run();
  };
}

/** Delay in ms between the latest request and a run that is not urgent. */
const DEBOUNCE_MS = 150;

export interface DebouncedRunner<Input> {
  /** Requests a run with this input. It replaces an input that is still waiting. */
  submit(input: Input): void;
  dispose(): void;
}

/** Runs immediately while `isUrgent` is true, otherwise after `DEBOUNCE_MS` without a new request. */
export function debounce<Input>(run: (input: Input) => void, isUrgent: ReadonlySignal<boolean>): DebouncedRunner<Input> {
  let waitingInput: { readonly input: Input } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runNow = (): void => {
    clearTimeout(timer);
    const latestInput = waitingInput;
    waitingInput = undefined;
    if (latestInput) run(latestInput.input);
  };
  const stopEffect = effect(() => {
    if (isUrgent.value) untracked(runNow);
  });
  return {
    submit(input) {
      waitingInput = { input };
      clearTimeout(timer);
      if (isUrgent.peek()) runNow();
      else timer = setTimeout(runNow, DEBOUNCE_MS);
    },
    dispose() {
      stopEffect();
      clearTimeout(timer);
    },
  };
}

/** Resolves when the page becomes visible or the signal is aborted. */
export const waitUntilVisible = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const resolveIfVisible = (): void => {
      if (document.hidden && !signal?.aborted) return;
      document.removeEventListener('visibilitychange', resolveIfVisible);
      resolve();
    };
    document.addEventListener('visibilitychange', resolveIfVisible);
    signal?.addEventListener('abort', resolveIfVisible, { once: true });
  });
