// Chapters that were read to their end, which are marked in the contents and stored in this browser only.
import { recall, remember, thisPage } from './site.ts';
import { PROGRESS_STRINGS } from './strings.ts';

function mark(): void {
  const { read } = recall();
  for (const entry of document.querySelectorAll<HTMLElement>('[data-page]')) {
    if (entry === document.documentElement || !read.includes(entry.dataset.page ?? '') || entry.dataset.read !== undefined) continue;
    entry.dataset.read = '';
    const message = document.createElement('span');
    message.className = 'read';
    message.textContent = PROGRESS_STRINGS.read;
    entry.append(message);
  }
}

export function saveProgress(): void {
  mark();
  const end = document.querySelector('.around');
  const page = thisPage();
  if (!end || page === '') return;
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    const memory = recall();
    if (memory.read.includes(page)) return;
    remember({ ...memory, read: [...memory.read, page] });
    mark();
  });
  seen.observe(end);
}
