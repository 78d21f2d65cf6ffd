/**
 * Runs one task at a time and always the newest: what is asked for while a task runs replaces what was waiting.
 * The returned function never rejects; `failed` hears of errors.
 */
export function latestOnly<Input, Result>(
  task: (input: Input) => Promise<Result>,
  done: (result: Result, input: Input) => void,
  failed: (error: unknown, input: Input) => void,
): (input: Input) => void {
  let waiting: { readonly input: Input } | undefined;
  let running = false;

  const run = async (): Promise<void> => {
    running = true;
    while (waiting) {
      const { input } = waiting;
      waiting = undefined;
      try {
        done(await task(input), input);
      } catch (error) {
        failed(error, input);
      }
    }
    running = false;
  };

  return (input) => {
    waiting = { input };
    if (!running) void run();
  };
}
