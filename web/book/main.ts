// Sets up the interactive parts of a book page.

import { chooseTheme, readStoredTheme, THEME_CHOICES } from '../lab/page/theme.ts';
import { scheduleCopy } from '../service-worker/soon.ts';
import { setUpQuestions } from './answers.ts';
import { addCopyButtons } from './copying.ts';
import { prepareForPrinting } from './printing.ts';
import { waitForReader } from './reader.ts';
import { addSaveButtons } from './saving.ts';
import { setUpSearch } from './search.ts';
import { currentPage, loadReaderData, saveReaderData } from './site.ts';
import { placePictures } from './stills.ts';
import { PROGRESS_STRINGS } from './strings.ts';
import { highlightSymbols } from './symbols.ts';

// Marks the chapters in the table of contents that the reader has finished.
function markReadChapters(): void {
  const { read } = loadReaderData();
  for (const entry of document.querySelectorAll<HTMLElement>('[data-page]')) {
    if (entry === document.documentElement || !read.includes(entry.dataset.page ?? '') || entry.dataset.read !== undefined) continue;
    entry.dataset.read = '';
    const message = document.createElement('span');
    message.className = 'read';
    message.textContent = PROGRESS_STRINGS.chapterRead;
    entry.append(message);
  }
}

function saveProgress(): void {
  markReadChapters();
  const pageNavigation = document.querySelector('.around');
  const page = currentPage();
  if (!pageNavigation || page === '') return;
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    const memory = loadReaderData();
    if (memory.read.includes(page)) return;
    saveReaderData({ ...memory, read: [...memory.read, page] });
    markReadChapters();
  });
  observer.observe(pageNavigation);
}

// Sets up the theme menu, which shares its setting with the Lab.
function setUpThemeMenu(): void {
  const themeLabel = document.querySelector<HTMLElement>('.theme');
  const select = themeLabel?.querySelector('select');
  if (!themeLabel || !select) return;
  themeLabel.hidden = false;
  select.value = readStoredTheme();
  select.addEventListener('change', () => chooseTheme(THEME_CHOICES.find((choice) => choice === select.value) ?? 'system'));
}

// Redirects old Lab links, because the Lab used to be the front page.
const isFrontPage = document.documentElement.dataset.root === './';
if (isFrontPage && location.hash.startsWith('#v=')) location.replace(`lab/${location.hash}`);

placePictures();
setUpThemeMenu();
setUpQuestions();
addSaveButtons();
// These functions do not change the layout, so each runs in a separate task after the first layout.
for (const setUp of [setUpSearch, highlightSymbols, saveProgress, addCopyButtons, prepareForPrinting, scheduleCopy]) setTimeout(setUp);

const loadFigures = async (readerPresent: Promise<void>): Promise<void> => {
  await readerPresent;
  await import('./figures.ts').catch((thrown: unknown) => {
    console.error(thrown);
    // scripts/site/not-loaded.mjs shows a message when it receives this event.
    dispatchEvent(new Event('phasor-not-loaded'));
  });
};
const modelSearch = document.querySelector<HTMLFormElement>('.find-model');
if (modelSearch) void import('./models/find-models.ts').then(({ findModels }) => findModels(modelSearch));

const figurePage = document.querySelector<HTMLElement>('.text.one-figure');
const galleryPage = location.search ? document.querySelector<HTMLElement>('.text.gallery') : null;
let isFromUrl = false;
if (figurePage || galleryPage) {
  const { openKind, showFigure } = await import('./gallery/figure-page.ts');
  if (galleryPage) openKind(galleryPage, location.search);
  if (figurePage) isFromUrl = showFigure(figurePage, location.search);
}
// A figure from the URL has no still picture, so live figures are loaded at once.
if (document.querySelector('phasor-figure'))
  void loadFigures(isFromUrl ? Promise.resolve() : waitForReader({ hasShortDelay: isFrontPage || figurePage !== null }));
