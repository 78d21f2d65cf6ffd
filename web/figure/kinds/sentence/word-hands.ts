// What hands do with the words: a mouse drags them, a finger after a long press, keys move them, and the pointer shows numbers.
import type { ReadonlySignal } from '@preact/signals-core';
import { placeUnder, WordDrag } from '../../../sentence/drag.ts';
import { WordKeys } from '../../../sentence/keys.ts';
import { LongPress } from '../../../sentence/long-press.ts';
import { placeIn } from '../../surface/pointer-place.ts';
import type { ArrangedWords } from './arranged-words.ts';
import type { SentenceLayout } from './layout.ts';
import type { Pictured } from './numbers.ts';
import { queryPlace, type SentencePicture, wordCursor } from './picture.ts';
import type { WordMoves } from './word-moves.ts';

export interface HeldWords {
  readonly element: HTMLElement;
  readonly sentence: ArrangedWords['sentence'];
  readonly layout: ReadonlySignal<SentenceLayout | undefined>;
  readonly picture: ReadonlySignal<({ readonly numbers: Pictured } & SentencePicture) | undefined>;
  readonly moves: WordMoves;
  part(name: string): HTMLElement;
  announce(text: string): void;
  /** A word was lifted, dragged or dropped: tiles look different. */
  touch(): void;
}

/** A word and what it is dragged over. */
function wordDrag({ element, layout, moves: { order, move }, touch }: HeldWords): WordDrag {
  const boxOf = (word: number) => layout.peek()?.tiles[order().indexOf(word)]?.word ?? { x: 0, y: 0, width: 0, height: 0 };
  return new WordDrag({
    placeOf: (word) => order().indexOf(word),
    centreOf: (word) => {
      const { x, y, width, height } = boxOf(word);
      return { x: x + width / 2, y: y + height / 2 };
    },
    placeAt: (word, x, y) => {
      const boxes = layout.peek()?.tiles.map(({ box }) => box) ?? [];
      return placeUnder(boxes, order().indexOf(word), x, y);
    },
    move,
    shift: (word, x, y) => {
      const { x: left, y: top } = boxOf(word);
      tileOf(element, word)?.style.setProperty('transform', `translate(${left + x}px, ${top + y}px)`);
    },
    drop: (word) => {
      const { x, y } = boxOf(word);
      tileOf(element, word)?.style.setProperty('transform', `translate(${x}px, ${y}px)`);
      touch();
    },
  });
}

const tileOf = (element: HTMLElement, word: number) => element.querySelector<HTMLElement>(`[data-word="${word}"]`);

const wordOf = (event: Event): number | undefined => {
  const tile = (event.target as Element).closest<HTMLElement>('.tile');
  return tile ? Number(tile.dataset.word) : undefined;
};

export function wordHands(held: HeldWords) {
  const { element, sentence, layout, picture, moves, part, announce, touch } = held;
  const { order, wordAt, move, choose, point, resting } = moves;
  const drag = wordDrag(held);
  const hold = new LongPress();
  const keys = new WordKeys({ move, focus: (place) => tileOf(element, wordAt(place))?.focus(), announce, lift: touch });
  const onStage = (event: PointerEvent) => placeIn(part('.tiles'), event);
  /** Takes hold of a word. */
  const take = (word: number, at: readonly [number, number]): void => {
    keys.drop();
    if (!moves.locked) drag.press(word, ...at);
    choose(word);
  };
  const handlers = {
    press(event: PointerEvent): void {
      const word = wordOf(event);
      // A second finger zooms.
      if (!event.isPrimary) hold.end();
      if (word === undefined || event.button !== 0 || !event.isPrimary) return;
      const at = onStage(event);
      if (event.pointerType === 'mouse') {
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        take(word, at);
        return;
      }
      // A swipe that begins on a word scrolls the page.
      hold.begin(event.clientX, event.clientY, () => {
        take(word, at);
        drag.lift();
        touch();
      });
    },
    follow(event: PointerEvent): void {
      if (hold.isWaiting) {
        hold.move(event.clientX, event.clientY);
        return;
      }
      const at = onStage(event);
      if (drag.follow(...at)) {
        point(resting());
        touch();
        return;
      }
      const drawn = picture.peek();
      const shown = layout.peek();
      if (!drawn || !shown) return;
      const query = queryPlace(drawn.numbers, resting());
      point(wordCursor(drawn.numbers, shown, query, ...at) ?? resting());
    },
    dial(event: PointerEvent): void {
      point({ ...resting(), ...picture.peek()?.dialAt(...placeIn(part('.dials'), event)) });
    },
    release(event: PointerEvent): void {
      const word = wordOf(event);
      if (hold.end() && event.type === 'pointerup' && word !== undefined) choose(word);
      drag.release();
      touch();
    },
    /** What a browser does with a finger that rests or moves is not done to a word that is lifted. */
    keep(event: Event): void {
      if (drag.dragged !== undefined && event.cancelable) event.preventDefault();
    },
    leave(event: PointerEvent): void {
      if (event.pointerType !== 'touch') point(resting());
    },
    key(event: KeyboardEvent): void {
      const word = wordOf(event);
      if (word !== undefined) keys.press(event, word, order(), sentence.peek()?.words ?? [], layout.peek()?.toRight);
    },
    focus(event: Event): void {
      const word = wordOf(event);
      if (word !== undefined) choose(word);
    },
    blur(): void {
      keys.drop();
    },
  };
  return { drag, keys, handlers, end: () => hold.end() };
}
