// Renders the words of a sentence as tiles that can be focused, dragged, and moved with keys.
import { html, nothing, render, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Theme } from '../../charts/picture.ts';
import type { Order } from '../../sentence/order.ts';
import type { createDragHandlers } from './drag.ts';
import type { SentenceLayout } from './layout.ts';
import { weightColor } from './marks.ts';
import { WORD_STRINGS } from './strings.ts';

export interface TileListOptions {
  readonly words: readonly string[];
  readonly order: Order;
  readonly layout: SentenceLayout;
  /** Index of the selected word in the original sentence. */
  readonly selectedWord: number | undefined;
  /** Index in the original sentence of the word that is being moved with keys. */
  readonly liftedWord: number | undefined;
  readonly draggedWord: number | undefined;
  readonly pointedPosition: number | undefined;
  isUnknown(word: number): boolean;
  /** Whether to mark the query and to show the weights below the words of a short sentence; default: true. */
  readonly hasWeights?: boolean;
  weightText(word: number): string | undefined;
}

/** Renders the tiles in the order in which screen readers read them. */
function renderSentenceTiles(
  { words: sentenceWords, order, layout, isUnknown, weightText, hasWeights = true, ...state }: TileListOptions,
  readingOrder: Order,
): unknown {
  const positionByWord = Object.fromEntries(order.map((word, at) => [word, at]));
  const renderTile = (index: number): TemplateResult => {
    const word = sentenceWords[index] as string;
    const position = positionByWord[index] as number;
    const tile = layout.tiles[position];
    const { width = 0, height = 0 } = tile?.word ?? {};
    const isUnknownWord = isUnknown(index);
    const isDragged = state.draggedWord === index;
    const names = ['tile', ...(layout.largeTileSizes ? ['shaded'] : []), ...(isDragged || state.liftedWord === index ? ['lifted'] : [])];
    if (isUnknownWord) names.push('unknown');
    if (state.pointedPosition === position) names.push('pointed');
    const description = [isUnknownWord ? WORD_STRINGS.unknownTile : undefined, weightText(index)].filter(Boolean).join(', ');
    const lineHeight = layout.largeTileSizes ? '1' : `${height - 2}px`;
    return html`<div class=${names.join(' ')} role="option" id=${`word-${index}`} data-word=${index} tabindex=${index === state.selectedWord ? 0 : -1}
        aria-label=${word} aria-selected=${hasWeights && index === state.selectedWord ? 'true' : 'false'} aria-posinset=${position + 1} aria-setsize=${sentenceWords.length}
        aria-description=${description || nothing}
        .style=${`width: ${width}px; height: ${height}px; font-size: ${layout.fontSize}px; line-height: ${lineHeight}`}
        ><span>${tile?.text}</span>${layout.largeTileSizes && hasWeights ? html`<span class="share" .style=${`font-size: ${layout.largeTileSizes.weightFontSize}px`}></span>` : nothing}</div>`;
  };
  return repeat(readingOrder, (index) => index, renderTile);
}

/**
 * Renders a list of tiles and restores the focus, which a tile loses when it is moved within the document.
 * @param tiles the result of `renderTileList`
 */
export function renderTiles(tiles: unknown, host: HTMLElement): void {
  const focusedTile = (host.getRootNode() as ShadowRoot).activeElement;
  render(tiles, host);
  if (focusedTile && host.contains(focusedTile) && (host.getRootNode() as ShadowRoot).activeElement !== focusedTile)
    (focusedTile as HTMLElement).focus({ preventScroll: true });
}

/**
 * The document order of the tiles. It does not change while a word is being moved, because moving an element in the document ends its
 * pointer and key events.
 */
export class ReadingOrder {
  private lastOrder: Order = [];

  update({ order, liftedWord, draggedWord }: Pick<TileListOptions, 'order' | 'liftedWord' | 'draggedWord'>): Order {
    if ((liftedWord === undefined && draggedWord === undefined) || this.lastOrder.length !== order.length) this.lastOrder = order;
    return this.lastOrder;
  }
}

export interface TileLook {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

/** Sets the style properties that change in every frame. `isKnown` is false while the weights are pending and therefore not finite. */
export function paintTile(tile: HTMLElement, { x, y, weight }: TileLook, theme: Theme, isKnown: boolean): void {
  const { style } = tile;
  style.transform = `translate(${x}px, ${y}px)`;
  if (!tile.classList.contains('shaded')) return;
  const { fill, textColor } = weightColor(weight, theme);
  style.backgroundColor = isKnown ? fill : '';
  style.color = isKnown ? textColor : '';
  const weightElement = tile.querySelector('.share');
  if (weightElement) weightElement.textContent = isKnown ? WORD_STRINGS.share(weight) : '';
}

/**
 * Renders the list of tiles. Screen readers read the tiles in their visual order.
 * @param height the height of the picture below the tiles, in px
 */
export function renderTileList(
  { words: sentenceWords, order, layout, ...parts }: TileListOptions,
  readingOrder: ReadingOrder,
  height: number,
  handlers: ReturnType<typeof createDragHandlers>['handlers'],
): TemplateResult {
  return html`<div class="tiles" role="listbox" aria-label=${WORD_STRINGS.list} aria-orientation="horizontal" aria-describedby="word-keys"
      aria-owns=${order.map((word) => `word-${word}`).join(' ')} .style=${`width: ${layout.width}px; height: ${height}px`}
      @pointerdown=${handlers.press} @pointermove=${handlers.follow} @pointerup=${handlers.release} @pointercancel=${handlers.release}
      @pointerleave=${handlers.leave} @touchmove=${handlers.suppressDefault} @contextmenu=${handlers.suppressDefault} @click=${handlers.click} @keydown=${handlers.key} @focusout=${handlers.blur}>${renderSentenceTiles({ words: sentenceWords, order, layout, ...parts }, readingOrder.update({ order, ...parts }))}</div>
      <div class="hidden" id="word-keys">${WORD_STRINGS.keys}</div>`;
}
