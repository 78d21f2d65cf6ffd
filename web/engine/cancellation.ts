// Calls that wait for a signal. A signal may be given to any number of calls, and the pool gives it to every worker, but it is listened
// to once: Node takes many listeners for a leak.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `cancel` when the signal aborts. @returns a function that forgets it */
export function onAbort(signal: AbortSignal, cancel: () => void): () => void {
  const known = waiting.get(signal);
  const calls = known ?? new Set();
  calls.add(cancel);
  const listen = () => {
    for (const call of [...calls]) call();
  };
  if (!known) {
    waiting.set(signal, calls);
    signal.addEventListener('abort', listen, { once: true });
  }
  return () => void calls.delete(cancel);
}
