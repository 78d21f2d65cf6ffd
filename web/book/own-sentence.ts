// The book uses one sentence throughout. A reader who types another sentence into a figure can use it on every page, in all figures that show the
// book's sentence. A line below the title states that the text still refers to the book's sentence.
import { tokenize } from '../sentence/tokens.ts';
import { recall, remember } from './site.ts';
import { OWN_SENTENCE_STRINGS as STRINGS } from './strings.ts';

/** Minimum and maximum number of words: fields of some pictures refer to the book's four words. */
const [FEWEST, MOST] = [4, 12];

const figuresOf = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-sentence] > phasor-figure')];
const sentenceOf = (figure: Element): string => figure.closest<HTMLElement>('[data-sentence]')?.dataset.sentence ?? '';

/** Whether the book's figures support a sentence with this many words. */
export function fits(sentence: string): boolean {
  const { length } = tokenize(sentence);
  return length >= FEWEST && length <= MOST;
}

/** A line with one button. The text includes the reader's words, so it is never parsed as HTML. */
function line(text: string, button: string, press: () => void): HTMLElement {
  const message = document.createElement('p');
  message.className = 'own-sentence';
  message.setAttribute('role', 'status');
  const pressed = Object.assign(document.createElement('button'), { type: 'button', textContent: button });
  pressed.addEventListener('click', press);
  message.append(`${text} `, pressed);
  return message;
}

const show = (sentence: string | undefined): void => {
  for (const figure of figuresOf()) figure.setAttribute('text', sentence ?? sentenceOf(figure));
};

/** Shows a line below the title while figures and text use different sentences. */
function tell(sentence: string): void {
  document.querySelector('.chapter-head > .own-sentence')?.remove();
  const [first] = figuresOf();
  if (!first) return;
  const restoreOriginal = (): void => {
    const { sentence: _, ...memory } = recall();
    remember(memory);
    show(undefined);
    document.querySelector('.chapter-head > .own-sentence')?.remove();
  };
  document.querySelector('.chapter-head')?.append(line(STRINGS.shown(sentence, sentenceOf(first)), STRINGS.again, restoreOriginal));
}

/** Offers, below a figure, to use the typed sentence in all figures. */
function offer({ target, detail }: CustomEvent<{ readonly field: string; readonly spec: { readonly text?: unknown } }>): void {
  const place = target instanceof Element ? target.closest<HTMLElement>('[data-sentence]') : null;
  if (!place || detail.field !== 'text') return;
  document.querySelector('.book-figure > .own-sentence')?.remove();
  const { text } = detail.spec;
  if (typeof text !== 'string' || text === place.dataset.sentence || text === recall().sentence || !fits(text)) return;
  const offered = line(STRINGS.typed(text), STRINGS.use, () => {
    offered.remove();
    remember({ ...recall(), sentence: text });
    show(text);
    tell(text);
  });
  place.append(offered);
}

/** Applies the reader's sentence. Must be called before figures are upgraded, so that they start with it. */
export function ownSentence(): void {
  document.addEventListener('phasor-change', (event) => offer(event as Parameters<typeof offer>[0]));
  const { sentence } = recall();
  if (sentence === undefined || !fits(sentence)) return;
  show(sentence);
  tell(sentence);
}
