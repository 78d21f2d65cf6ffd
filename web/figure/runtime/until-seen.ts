// Training waits while nobody looks.

/** Resolves when the page is seen, or the signal aborts. */
export const untilSeen = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      if (document.hidden && !signal?.aborted) return;
      document.removeEventListener('visibilitychange', end);
      resolve();
    };
    document.addEventListener('visibilitychange', end);
    signal?.addEventListener('abort', end, { once: true });
  });
