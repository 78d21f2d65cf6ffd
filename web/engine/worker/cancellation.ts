// Calls that an AbortSignal cancels. One signal may be passed to any number of calls, and the pool passes it to every worker, but it gets
// only one listener, because Node warns of a leak if there are many.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `cancel` when the signal aborts. @returns a function that unregisters it */
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
