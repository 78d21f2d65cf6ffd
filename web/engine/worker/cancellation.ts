// Calls that an AbortSignal cancels. One signal may be passed to any number of calls, and a pool passes its signal to every worker. Each signal
// has only one listener, because Node warns of a leak if there are many.

const callsOfSignal = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `cancel` when the signal aborts. @returns a function that unregisters it */
export function onAbort(signal: AbortSignal, cancel: () => void): () => void {
  const registered = callsOfSignal.get(signal);
  const calls = registered ?? new Set();
  calls.add(cancel);
  const cancelAll = () => {
    for (const call of [...calls]) call();
  };
  if (!registered) {
    callsOfSignal.set(signal, calls);
    signal.addEventListener('abort', cancelAll, { once: true });
  }
  return () => void calls.delete(cancel);
}
