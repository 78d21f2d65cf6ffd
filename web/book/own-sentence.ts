// One sentence runs through the book. A reader who types another into a figure may have it in all figures that show the book's, on every page; the text
// goes on about the book's, and a line below the title says so.
import { tokenize } from '../sentence/tokens.ts';
import { recall, remember } from './site.ts';
import { OWN_SENTENCE_STRINGS as STRINGS } from './strings.ts';

/** Pictures are made for the four words of the book's, and their fields name some of these. */
const [FEWEST, MOST] = [4, 12];

const figuresOf = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-sentence] > phasor-figure')];
const sentenceOf = (figure: Element): string => figure.closest<HTMLElement>('[data-sentence]')?.dataset.sentence ?? '';

/** A sentence of so many words that the figures of the book can show it. */
export function fits(sentence: string): boolean {
  const { length } = tokenize(sentence);
  return length >= FEWEST && length <= MOST;
}

/** A line with one button, whose words are the reader's too: never HTML. */
function line(text: string, button: string, press: () => void): HTMLElement {
  const said = document.createElement('p');
  said.className = 'own-sentence';
  said.setAttribute('role', 'status');
  const pressed = Object.assign(document.createElement('button'), { type: 'button', textContent: button });
  pressed.addEventListener('click', press);
  said.append(`${text} `, pressed);
  return said;
}

const show = (sentence: string | undefined): void => {
  for (const figure of figuresOf()) figure.setAttribute('text', sentence ?? sentenceOf(figure));
};

/** Below the title, while the figures show another sentence than the text. */
function tell(sentence: string): void {
  document.querySelector('.chapter-head > .own-sentence')?.remove();
  const [first] = figuresOf();
  if (!first) return;
  const again = (): void => {
    const { sentence: _, ...memory } = recall();
    remember(memory);
    show(undefined);
    document.querySelector('.chapter-head > .own-sentence')?.remove();
  };
  document.querySelector('.chapter-head')?.append(line(STRINGS.shown(sentence, sentenceOf(first)), STRINGS.again, again));
}

/** Below the figure that it was typed into. */
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

/** Call before figures come alive, so that they begin with it. */
export function ownSentence(): void {
  document.addEventListener('phasor-change', (event) => offer(event as Parameters<typeof offer>[0]));
  const { sentence } = recall();
  if (sentence === undefined || !fits(sentence)) return;
  show(sentence);
  tell(sentence);
}
