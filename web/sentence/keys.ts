// Keyboard control of words. Arrow keys move the focus, or a word that was lifted with Space or Enter. With Alt or Shift, they move a word
// without lifting it first.
import type { Order } from './order.ts';

export interface KeyTarget {
  move(from: number, to: number): void;
  focus(position: number): void;
  announce(sentence: string): void;
  onLiftChange(): void;
}

const HORIZONTAL_STEPS: { readonly [key: string]: number } = { ArrowLeft: -1, ArrowRight: 1 };
const VERTICAL_STEPS: { readonly [key: string]: number } = { ArrowUp: -1, ArrowDown: 1 };

export class WordKeys {
  /** The word that arrow keys move. */
  liftedWord: number | undefined;
  private liftedPosition = 0;

  constructor(private readonly target: KeyTarget) {}

  /** Handles a key. `nextDirection` is 1 if the next position is on the right, and -1 in a right-to-left sentence. */
  press(event: KeyboardEvent, word: number, order: Order, words: readonly string[], nextDirection: 1 | -1 = 1): void {
    if (event.ctrlKey || event.metaKey) return;
    const position = order.indexOf(word);
    const lastPosition = order.length - 1;
    const step = VERTICAL_STEPS[event.key] ?? (HORIZONTAL_STEPS[event.key] ?? Number.NaN) * nextDirection;
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? lastPosition : position + step;
    if (!Number.isNaN(to)) {
      event.preventDefault();
      if (to < 0 || to > lastPosition) return;
      if (event.altKey || event.shiftKey || this.liftedWord === word) this.target.move(position, to);
      else this.target.focus(to);
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (this.liftedWord === word) this.drop(`${words[word]} dropped at position ${position + 1}`);
      else this.lift(word, position, `${words[word]} lifted: arrow keys move it, Enter drops it, Escape cancels`);
    } else if (event.key === 'Escape' && this.liftedWord === word) {
      const { liftedPosition } = this;
      this.drop(`${words[word]} is back at position ${liftedPosition + 1}`);
      if (liftedPosition !== position) this.target.move(position, liftedPosition);
    }
  }

  drop(sentence?: string): void {
    if (this.liftedWord === undefined) return;
    this.liftedWord = undefined;
    if (sentence) this.target.announce(sentence);
    this.target.onLiftChange();
  }

  private lift(word: number, position: number, sentence: string): void {
    this.liftedWord = word;
    this.liftedPosition = position;
    this.target.announce(sentence);
    this.target.onLiftChange();
  }
}
