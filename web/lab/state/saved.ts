// Links that the reader has saved for a lecture, in this browser: its steps.
import { signal } from '@preact/signals-core';
import { type KeptHere, keepHere } from '../../service-worker/kept-here.ts';

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

/** Unless they are kept, saved links are gone with this page. */
export const keeping = signal<KeptHere>('kept');

/** Fragments of addresses, in the order of the lecture. */
export const savedLinks = signal<readonly string[]>(stored());

/** The steps before the last deletion, which can be taken back until something else is changed. */
export const beforeDeletion = signal<readonly string[] | undefined>(undefined);

function keep(links: readonly string[], before?: readonly string[]): void {
  savedLinks.value = links;
  beforeDeletion.value = before;
  keeping.value = keepHere(NAME, JSON.stringify(links));
}

/** The current content, including changes that another tab has just saved. */
const current = (): readonly string[] => (keeping.peek() === 'kept' ? stored() : savedLinks.peek());

/** Saves a link, once. */
export const saveLink = (link: string): void => keep([...current().filter((one) => one !== link), link]);

/** Puts these steps, those of a lecture that was shared, before the others. */
export const saveLecture = (links: readonly string[]): void =>
  keep([...new Set(links), ...current().filter((one) => !links.includes(one))]);

/** Moves a step by so many places. */
export function moveLink(link: string, by: number): void {
  const links = [...current()];
  const at = links.indexOf(link);
  if (at < 0 || at + by < 0 || at + by >= links.length) return;
  links.splice(at, 1);
  links.splice(at + by, 0, link);
  keep(links);
}

export const deleteLink = (link: string): void => {
  const before = current();
  keep(
    before.filter((one) => one !== link),
    before,
  );
};

export const deleteAllLinks = (): void => keep([], current());

export const undoDeletion = (): void => {
  const before = beforeDeletion.peek();
  if (before) keep(before);
};

// Another tab may have saved one.
addEventListener('storage', ({ key }) => {
  // Without a key all is gone.
  if (key !== NAME && key !== null) return;
  savedLinks.value = stored();
  beforeDeletion.value = undefined;
});
