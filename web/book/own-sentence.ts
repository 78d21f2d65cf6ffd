// Lets the reader replace the book's sentence in all figures that show it, on every page.
import { tokenize } from '../sentence/tokens.ts';
import { loadReaderData, saveReaderData } from './site.ts';
import { OWN_SENTENCE_STRINGS as STRINGS } from './strings.ts';

/** Minimum and maximum number of words. The minimum is four, because some figures select one of the four words in the book's sentence. */
const [MIN_WORD_COUNT, MAX_WORD_COUNT] = [4, 12];

const findSentenceFigures = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-sentence] > phasor-figure')];
const getBookSentence = (figure: Element): string => figure.closest<HTMLElement>('[data-sentence]')?.dataset.sentence ?? '';

export function isSupportedSentence(sentence: string): boolean {
  const { length } = tokenize(sentence);
  return length >= MIN_WORD_COUNT && length <= MAX_WORD_COUNT;
}

/** Creates a line of text with a button. The text includes user input, so it is never parsed as HTML. */
function createLineWithButton(text: string, button: string, onPress: () => void): HTMLElement {
  const message = document.createElement('p');
  message.className = 'own-sentence';
  message.setAttribute('role', 'status');
  const buttonElement = Object.assign(document.createElement('button'), { type: 'button', textContent: button });
  buttonElement.addEventListener('click', onPress);
  message.append(`${text} `, buttonElement);
  return message;
}

const setSentence = (sentence: string | undefined): void => {
  for (const figure of findSentenceFigures()) figure.setAttribute('text', sentence ?? getBookSentence(figure));
};

/** Adds a notice below the title that quotes the reader's sentence and the book's. */
function showNotice(sentence: string): void {
  document.querySelector('.chapter-head > .own-sentence')?.remove();
  const [firstFigure] = findSentenceFigures();
  if (!firstFigure) return;
  const restoreOriginal = (): void => {
    const { sentence: _, ...memory } = loadReaderData();
    saveReaderData(memory);
    setSentence(undefined);
    document.querySelector('.chapter-head > .own-sentence')?.remove();
  };
  document
    .querySelector('.chapter-head')
    ?.append(
      createLineWithButton(STRINGS.replacementNotice(sentence, getBookSentence(firstFigure)), STRINGS.restoreOriginal, restoreOriginal),
    );
}

/** Adds a line below a figure that offers to use its sentence in all figures. */
function offerSentence({ target, detail }: CustomEvent<{ readonly field: string; readonly spec: { readonly text?: unknown } }>): void {
  const container = target instanceof Element ? target.closest<HTMLElement>('[data-sentence]') : null;
  if (!container || detail.field !== 'text') return;
  document.querySelector('.book-figure > .own-sentence')?.remove();
  const { text } = detail.spec;
  if (typeof text !== 'string' || text === container.dataset.sentence || text === loadReaderData().sentence || !isSupportedSentence(text))
    return;
  const offerLine = createLineWithButton(STRINGS.yourSentence(text), STRINGS.useInAllFigures, () => {
    offerLine.remove();
    saveReaderData({ ...loadReaderData(), sentence: text });
    setSentence(text);
    showNotice(text);
  });
  container.append(offerLine);
}

/** Applies the reader's sentence. Must be called before figures are upgraded, so that they start with it. */
export function applyReaderSentence(): void {
  document.addEventListener('phasor-change', (event) => offerSentence(event as Parameters<typeof offerSentence>[0]));
  const { sentence } = loadReaderData();
  if (sentence === undefined || !isSupportedSentence(sentence)) return;
  setSentence(sentence);
  showNotice(sentence);
}
