// Handles input on words. Words are dragged with the mouse, dragged by touch after a long press or a sideways movement, or moved with keys.
// Hovering moves the cursor.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { entryAt } from '../../charts/entry-at.ts';
import type { Cursor } from '../../charts/scene.ts';
import { findPositionInLine, findPositionUnder, WordDrag } from '../../sentence/drag.ts';
import { WordKeys } from '../../sentence/keys.ts';
import { LongPress } from '../../sentence/long-press.ts';
import { isIdentity, isSameOrder, moveWord, type Order } from '../../sentence/order.ts';
import type { FieldTable } from '../contract/fields.ts';
import type { LiveFigure } from '../contract/kind.ts';
import { getPointerPosition } from '../surface/pointer-place.ts';
import type { SentenceLayout } from './layout.ts';
import { WORD_STRINGS } from './strings.ts';

export interface ArrangedWords {
  readonly words: readonly string[];
  readonly order: Order;
}

export interface WordDragOptions {
  readonly element: HTMLElement;
  readonly sentence: ReadonlySignal<ArrangedWords | undefined>;
  /** The layout of the tiles. Words can only be dragged from and dropped on tiles. */
  readonly layout: ReadonlySignal<SentenceLayout | undefined>;
  readonly moves: WordMoves;
  /** Returns the cursor at a point; undefined if there is no word. */
  cursorAt(x: number, y: number): Cursor | undefined;
  findPart(name: string): HTMLElement;
  announce(text: string): void;
  /** Called when a word is lifted, dragged or dropped, because this changes the appearance of tiles. */
  onTilesChange(): void;
  /** Draws a dragged word with its upper left corner at a point. */
  carry(word: number, x: number, y: number): void;
  drop(word: number): void;
}

/** Height in px by which a dragged word is raised above its line. */
const LIFT_HEIGHT_PX = 3;
/** Distance in px by which a word may be dragged beyond the ends of its line. */
const MAX_OVERSHOOT_PX = 20;

function createWordDrag({ layout, moves: { getOrder, move }, onTilesChange, carry, drop }: WordDragOptions): WordDrag {
  const findBox = (word: number) => layout.peek()?.tiles[getOrder().indexOf(word)]?.word ?? { x: 0, y: 0, width: 0, height: 0 };
  return new WordDrag({
    getPosition: (word) => getOrder().indexOf(word),
    getCentre: (word) => {
      const { x, y, width, height } = findBox(word);
      return { x: x + width / 2, y: y + height / 2 };
    },
    findTargetPosition: (word, x, y) => {
      const currentLayout = layout.peek();
      const boxes = currentLayout?.tiles.slice(0, getOrder().length).map(({ box }) => box) ?? [];
      const from = getOrder().indexOf(word);
      return currentLayout?.largeTileSizes ? findPositionInLine(boxes, from, x) : findPositionUnder(boxes, from, x, y);
    },
    move,
    carry: (word, x, y) => {
      const box = findBox(word);
      const currentLayout = layout.peek();
      const tileX = x - box.width / 2;
      if (!currentLayout?.largeTileSizes) {
        carry(word, tileX, y - box.height / 2);
        return;
      }
      const edges = currentLayout.tiles.slice(0, getOrder().length).flatMap(({ word: { x, width } }) => [x, x + width]);
      const [minX, maxX] = [Math.min(...edges) - MAX_OVERSHOOT_PX, Math.max(...edges) + MAX_OVERSHOOT_PX - box.width];
      carry(word, Math.min(maxX, Math.max(minX, tileX)), box.y - LIFT_HEIGHT_PX);
    },
    drop: (word) => {
      drop(word);
      onTilesChange();
    },
  });
}

const findTile = (element: HTMLElement, word: number) => element.querySelector<HTMLElement>(`[data-word="${word}"]`);

const findWord = (event: Event): number | undefined => {
  const tileElement = (event.target as Element).closest<HTMLElement>('.tile');
  return tileElement ? Number(tileElement.dataset.word) : undefined;
};

export function createDragHandlers(options: WordDragOptions) {
  const { element, sentence, layout, moves, findPart, announce, onTilesChange, cursorAt } = options;
  const { getOrder, wordAt, move, selectWord, setCursor, restingCursor } = moves;
  const drag = createWordDrag(options);
  const longPress = new LongPress();
  const focus = (position: number): void => {
    selectWord(wordAt(position));
    findTile(element, wordAt(position))?.focus();
  };
  const keys = new WordKeys({ move, focus, announce, onLiftChange: onTilesChange });
  const getStagePosition = (event: PointerEvent) => getPointerPosition(findPart('.tiles'), event);
  /** The word under the pressed mouse button. It is selected when the button is released, unless it was dragged. */
  let pressedWord: number | undefined;
  const pickUp = (word: number, point: readonly [number, number]): void => {
    keys.drop();
    if (!moves.isLocked) drag.press(word, ...point);
  };
  const handlers = {
    press(event: PointerEvent): void {
      const word = findWord(event);
      // A second touch starts a zoom, so it cancels the long press.
      if (!event.isPrimary) longPress.end();
      if (word === undefined || event.button !== 0 || !event.isPrimary) return;
      const point = getStagePosition(event);
      if (event.pointerType === 'mouse') {
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        pressedWord = word;
        pickUp(word, point);
        return;
      }
      // A vertical swipe that starts on a word still scrolls the page.
      longPress.begin(event.clientX, event.clientY, () => {
        pickUp(word, point);
        drag.lift();
        onTilesChange();
      });
    },
    follow(event: PointerEvent): void {
      if (longPress.isWaiting) longPress.move(event.clientX, event.clientY);
      if (longPress.isWaiting) return;
      const point = getStagePosition(event);
      if (drag.follow(...point)) {
        setCursor(restingCursor());
        onTilesChange();
        return;
      }
      setCursor(cursorAt(...point) ?? restingCursor());
    },
    release(event: PointerEvent): void {
      const clickedWord = longPress.end() ? findWord(event) : pressedWord;
      pressedWord = undefined;
      const wasDragged = drag.release();
      if (!wasDragged && event.type === 'pointerup' && clickedWord !== undefined) selectWord(clickedWord);
      onTilesChange();
    },
    /** Handles clicks from screen readers, which send no pointer events. */
    click(event: MouseEvent): void {
      const word = findWord(event);
      if (event.detail === 0 && word !== undefined) selectWord(word);
    },
    /** Suppresses the browser's default touch actions on a lifted word. */
    suppressDefault(event: Event): void {
      if (drag.draggedWord !== undefined && event.cancelable) event.preventDefault();
    },
    leave(event: PointerEvent): void {
      if (event.pointerType !== 'touch') setCursor(restingCursor());
    },
    key(event: KeyboardEvent): void {
      const word = findWord(event);
      if (word !== undefined) keys.press(event, word, getOrder(), sentence.peek()?.words ?? [], layout.peek()?.nextDirection);
    },
    blur(): void {
      keys.drop();
    },
  };
  return { drag, keys, handlers, end: () => longPress.end() };
}

export interface WordMoves {
  /** Index in the original sentence of the word that was selected by a click or a key. Moving a word does not select it. */
  readonly selectedWord: Signal<number | undefined>;
  readonly isLocked: boolean;
  getOrder(): Order;
  wordAt(position: number): number;
  move(from: number, to: number): void;
  reset(): void;
  selectWord(word: number): void;
  setCursor(cursor: Cursor): void;
  /** Returns the cursor used while no pointer is over the figure. */
  restingCursor(): Cursor;
  /** Announces the effect of the latest move, after its results are computed. */
  announceMove(sentence: ArrangedWords, outcome: string): void;
}

export function createWordMoves(
  figure: Pick<LiveFigure<FieldTable, never>, 'locked' | 'cursor' | 'change'>,
  sentence: ReadonlySignal<ArrangedWords | undefined>,
  announce: (text: string) => void,
): WordMoves {
  const selectedWord = signal<number | undefined>(undefined);
  const isLocked = figure.locked.includes('order');
  let pendingOutcome: { readonly word: number | undefined; readonly order: Order } | undefined;
  const getOrder = () => sentence.peek()?.order ?? [];
  const wordAt = (position: number): number => entryAt(getOrder(), position);
  const setCursor = (cursor: Cursor): void => {
    const previousCursor = figure.cursor.peek();
    const names = new Set([...Object.keys(previousCursor), ...Object.keys(cursor)]);
    if ([...names].some((name) => previousCursor[name] !== cursor[name])) figure.cursor.value = cursor;
  };
  const selectWord = (word: number): void => {
    selectedWord.value = word;
    setCursor({ query: getOrder().indexOf(word) });
  };
  const restingCursor = (): Cursor => {
    const word = selectedWord.peek();
    return word === undefined ? {} : { query: Math.max(0, getOrder().indexOf(word)) };
  };
  const setOrder = (newOrder: Order, word?: number): void => {
    pendingOutcome = { word, order: newOrder };
    figure.change({ order: isIdentity(newOrder) ? [] : newOrder });
  };
  return {
    selectedWord,
    isLocked,
    getOrder,
    wordAt,
    selectWord,
    setCursor,
    restingCursor,
    move(from, to) {
      const word = getOrder()[from];
      // The dragged word no longer exists if the sentence has been replaced.
      if (!isLocked && word !== undefined) setOrder(moveWord(getOrder(), from, to), word);
    },
    reset: () => setOrder(getOrder().toSorted((a, b) => a - b)),
    announceMove({ order: currentOrder, words: originalWords }, outcome) {
      if (!pendingOutcome || !isSameOrder(currentOrder, pendingOutcome.order)) return;
      const { word } = pendingOutcome;
      pendingOutcome = undefined;
      announce(
        word === undefined
          ? outcome
          : WORD_STRINGS.moved(originalWords[word] as string, currentOrder.indexOf(word) + 1, currentOrder.length, outcome),
      );
    },
  };
}
