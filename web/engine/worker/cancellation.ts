// Cancels calls when an AbortSignal aborts. Many calls, in several workers, may share a signal. Each signal has only one listener, because
// Node warns of a memory leak if there are many.

const callbacksOfSignal = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `cancel` when the signal aborts. @returns a function that unregisters it */
export function onAbort(signal: AbortSignal, cancel: () => void): () => void {
  const registeredCallbacks = callbacksOfSignal.get(signal);
  const callbacks = registeredCallbacks ?? new Set();
  callbacks.add(cancel);
  const cancelAll = () => {
    for (const callback of [...callbacks]) callback();
  };
  if (!registeredCallbacks) {
    callbacksOfSignal.set(signal, callbacks);
    signal.addEventListener('abort', cancelAll, { once: true });
  }
  return () => void callbacks.delete(cancel);
}
