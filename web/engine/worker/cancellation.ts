// Cancels calls when an AbortSignal is aborted. Many calls in several workers may share one signal. Only one listener is added to each
// signal, because Node warns of a memory leak if a signal has many listeners.

const callbacksOfSignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `cancel` when the signal is aborted.
 * @returns a function that unregisters the callback
 */
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
