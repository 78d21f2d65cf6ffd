// The interactive parts of a book page, whose HTML is complete without them.

import { CHOICES, chooseTheme, storedTheme } from '../lab/page/theme.ts';
import { keepCopySoon } from '../service-worker/soon.ts';
import { answering } from './answers.ts';
import { addCopyButtons } from './copying.ts';
import { prepareForPrinting } from './printing.ts';
import { readerIsThere } from './reader.ts';
import { addSaveButtons } from './saving.ts';
import { searching } from './search.ts';
import { recall, remember, thisPage } from './site.ts';
import { placePictures } from './stills.ts';
import { PROGRESS_STRINGS } from './strings.ts';
import { lightSymbols } from './symbols.ts';

// In the contents, marks chapters that were read to the end. The list is stored only in this browser.
function markReadChapters(): void {
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

function saveProgress(): void {
  markReadChapters();
  const end = document.querySelector('.around');
  const page = thisPage();
  if (!end || page === '') return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    const memory = recall();
    if (memory.read.includes(page)) return;
    remember({ ...memory, read: [...memory.read, page] });
    markReadChapters();
  });
  observer.observe(end);
}

// The choice of a theme, shared with the Lab.
function themeSwitch(): void {
  const label = document.querySelector<HTMLElement>('.theme');
  const select = label?.querySelector('select');
  if (!label || !select) return;
  label.hidden = false;
  select.value = storedTheme();
  select.addEventListener('change', () => chooseTheme(CHOICES.find((choice) => choice === select.value) ?? 'system'));
}

// Redirects old links to the Lab, which used to be the front page.
const isFront = document.documentElement.dataset.root === './';
if (isFront && location.hash.startsWith('#v=')) location.replace(`lab/${location.hash}`);

placePictures();
themeSwitch();
answering();
addSaveButtons();
// Modules that do not change the layout run in separate tasks, after the first layout of the text.
for (const begin of [searching, lightSymbols, saveProgress, addCopyButtons, prepareForPrinting, keepCopySoon]) setTimeout(begin);

// Loads live figures once a reader is present; until then the page shows still pictures.
const figures = async (requested: Promise<void>): Promise<void> => {
  await requested;
  await import('./figures.ts').catch((thrown: unknown) => {
    console.error(thrown);
    // The page shows a message when this event is dispatched (scripts/site/not-loaded.mjs).
    dispatchEvent(new Event('phasor-not-loaded'));
  });
};
const search = document.querySelector<HTMLFormElement>('.find-model');
if (search) void import('./models/find-models.ts').then(({ findModels }) => findModels(search));

const oneFigure = document.querySelector<HTMLElement>('.text.one-figure');
const gallery = location.search ? document.querySelector<HTMLElement>('.text.gallery') : null;
let isRequested = false;
if (oneFigure || gallery) {
  const { openKind, showFigure } = await import('./gallery/figure-page.ts');
  if (gallery) openKind(gallery, location.search);
  if (oneFigure) isRequested = showFigure(oneFigure, location.search);
}
// A figure from the URL has no picture until it is computed.
if (document.querySelector('phasor-figure'))
  void figures(isRequested ? Promise.resolve() : readerIsThere({ isSoon: isFront || oneFigure !== null }));
