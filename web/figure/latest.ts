/**
 * Runs one task at a time and always the newest: what is asked for while a task runs replaces what was waiting.
 * The returned function never rejects and never stops working: `failed` hears of tasks that fail, and `broken` of `done` and `failed`
 * themselves throwing, which is no fault of the input.
 */
export function latestOnly<Input, Result>(
  task: (input: Input) => Promise<Result>,
  done: (result: Result, input: Input) => void,
  failed: (error: unknown, input: Input) => void,
  broken: (fault: unknown) => void,
): (input: Input) => void {
  let waiting: { readonly input: Input } | undefined;
  let running = false;

  /** What is to be done with the answer. */
  const answer = async (input: Input): Promise<() => void> => {
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
      const tell = await answer(input);
      try {
        tell();
      } catch (fault) {
        broken(fault);
      }
    }
    running = false;
  };

  return (input) => {
    waiting = { input };
    if (!running) void run();
  };
}
