// Waits for the page's first contentful paint, because scripts that run earlier would delay it.

const MAX_WAIT_MS = 3000;

/**
 * Resolves after the first contentful paint, or after MAX_WAIT_MS. Resolves immediately in background tabs and in
 * browsers without paint timing.
 */
export function waitForFirstPaint(): Promise<void> {
  if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) return Promise.resolve();
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) end();
    });
    const end = (): void => {
      observer.disconnect();
      resolve();
    };
    observer.observe({ type: 'paint', buffered: true });
    setTimeout(end, MAX_WAIT_MS);
  });
}
