// Links that the reader has saved for a lecture, in this browser.
import { signal } from '@preact/signals-core';

const NAME = 'phasor-saved';

// A page opened from disk, or one that may not store anything, keeps them until it is closed.
function stored(): readonly string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(NAME) ?? '[]');
    return Array.isArray(list) ? list.filter((link): link is string => typeof link === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether saved links are gone with this page, because the browser forbids it to store anything. */
export const isForgetful = signal(false);

/** Fragments of addresses, in the order in which they were saved. */
export const savedLinks = signal<readonly string[]>(stored());

function keep(links: readonly string[]): void {
  savedLinks.value = links;
  try {
    localStorage.setItem(NAME, JSON.stringify(links));
  } catch {
    isForgetful.value = true;
  }
}

/** Saves a link, once. What another tab has just saved stays. */
export function saveLink(link: string): void {
  const before = isForgetful.peek() ? savedLinks.peek() : stored();
  keep([...before.filter((one) => one !== link), link]);
}
export const forgetLinks = (): void => keep([]);

// Another tab may have saved one.
addEventListener('storage', ({ key }) => {
  // Without a key all is gone.
  if (key === NAME || key === null) savedLinks.value = stored();
});
