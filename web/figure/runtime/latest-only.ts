/**
 * Runs one task at a time, always for the newest input: an input that arrives while a task runs replaces the one waiting. The returned
 * function never throws: `failed` receives the errors of tasks, `broken` exceptions thrown by `done` and `failed` themselves.
 */
export function latestOnly<Input, Result>(
  task: (input: Input) => Promise<Result>,
  done: (result: Result, input: Input) => void,
  failed: (error: unknown, input: Input) => void,
  broken: (error: unknown) => void,
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
        broken(error);
      }
    }
    running = false;
  };

  return (input) => {
    waiting = { input };
    if (!running) void run();
  };
}
