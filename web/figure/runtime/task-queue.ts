// Work that comes for many figures at once, such as coming near sight: a task for each, so that the page scrolls and answers between them.
const waiting: (() => void)[] = [];

function next(): void {
  const work = waiting.shift();
  if (waiting.length > 0) setTimeout(next);
  work?.();
}

export function enqueueTask(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setTimeout(next);
}
