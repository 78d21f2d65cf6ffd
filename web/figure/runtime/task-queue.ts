// Work that comes for many figures at once, such as coming near sight: a task for each, so that the page scrolls and answers between them.
type Yielding = typeof globalThis & { readonly scheduler?: { yield?(): Promise<void> } };

/** The next task, which comes when the browser has answered the reader. A timer would keep it waiting: browsers have nested ones wait 4 ms each. */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as Yielding;
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

const waiting: (() => void)[] = [];

function next(): void {
  const work = waiting.shift();
  if (waiting.length > 0) void nextTask().then(next);
  work?.();
}

export function enqueueTask(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) void nextTask().then(next);
}
