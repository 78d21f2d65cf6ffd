// The words of the sentence as tiles that have the focus, are dragged and moved by keys.
import { html, nothing, type TemplateResult } from 'lit';
import type { Theme } from '../../charts/picture.ts';
import type { Order } from '../../sentence/order.ts';
import type { dragHandlers } from './drag.ts';
import type { SentenceLayout } from './layout.ts';
import { weightColor } from './marks.ts';
import { WORDS } from './strings.ts';

export interface TilesParts {
  readonly words: readonly string[];
  readonly order: Order;
  readonly layout: SentenceLayout;
  /** Words by their index in the original sentence. */
  readonly selected: number | undefined;
  /** Moved by keys. */
  readonly lifted: number | undefined;
  readonly dragged: number | undefined;
  /** The position at the cursor. */
  readonly pointed: number | undefined;
  isUnknown(word: number): boolean;
  /** Whether the selected word is a query: it is marked, and the weights of a short sentence are below its words; default: true. */
  readonly hasShares?: boolean;
  /** The text of the weight of a word. */
  said(word: number): string | undefined;
}

/** In the original order, so that no tile moves in the document and loses the focus; aria-owns has the visible order. */
function sentenceTiles({ words: written, order, layout, isUnknown, said, hasShares = true, ...one }: TilesParts): TemplateResult[] {
  const position = Object.fromEntries(order.map((word, at) => [word, at]));
  return written.map((word, index) => {
    const at = position[index] as number;
    const tile = layout.tiles[at];
    const { width = 0, height = 0 } = tile?.word ?? {};
    const unknown = isUnknown(index);
    const isDragged = one.dragged === index;
    const names = ['tile', ...(layout.large ? ['shaded'] : []), ...(isDragged || one.lifted === index ? ['lifted'] : [])];
    if (unknown) names.push('unknown');
    if (one.pointed === at) names.push('pointed');
    const description = [unknown ? WORDS.unknownTile : undefined, said(index)].filter(Boolean).join(', ');
    const line = layout.large ? '1' : `${height - 2}px`;
    return html`<div class=${names.join(' ')} role="option" id=${`word-${index}`} data-word=${index} tabindex=${index === one.selected ? 0 : -1}
        aria-label=${word} aria-selected=${hasShares && index === one.selected ? 'true' : 'false'} aria-posinset=${at + 1} aria-setsize=${written.length}
        aria-description=${description || nothing}
        .style=${`width: ${width}px; height: ${height}px; font-size: ${layout.size}px; line-height: ${line}`}
        ><span>${tile?.text}</span>${layout.large && hasShares ? html`<span class="share" .style=${`font-size: ${layout.large.share}px`}></span>` : nothing}</div>`;
  });
}

/** The present position of a tile, and the weight of its word. */
export interface TileLook {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
}

/** Sets the properties that change in every frame. Pending numbers are not finite: `isKnown` is then false. */
export function paintTile(tile: HTMLElement, { x, y, weight }: TileLook, theme: Theme, isKnown: boolean): void {
  const { style } = tile;
  style.transform = `translate(${x}px, ${y}px)`;
  if (!tile.classList.contains('shaded')) return;
  const { fill, ink } = weightColor(weight, theme);
  style.backgroundColor = isKnown ? fill : '';
  style.color = isKnown ? ink : '';
  const share = tile.querySelector('.share');
  if (share) share.textContent = isKnown ? WORDS.share(weight) : '';
}

/** The tiles in their list, which has the visible order. @param height of the picture below them, px */
export function tileList(
  { words: written, order, layout, ...parts }: TilesParts,
  height: number,
  handlers: ReturnType<typeof dragHandlers>['handlers'],
): TemplateResult {
  return html`<div class="tiles" role="listbox" aria-label=${WORDS.list} aria-orientation="horizontal" aria-describedby="word-keys"
      aria-owns=${order.map((word) => `word-${word}`).join(' ')} .style=${`width: ${layout.width}px; height: ${height}px`}
      @pointerdown=${handlers.press} @pointermove=${handlers.follow} @pointerup=${handlers.release} @pointercancel=${handlers.release}
      @pointerleave=${handlers.leave} @touchmove=${handlers.keep} @contextmenu=${handlers.keep} @click=${handlers.click} @keydown=${handlers.key} @focusout=${handlers.blur}>${sentenceTiles({ words: written, order, layout, ...parts })}</div>
      <div class="hidden" id="word-keys">${WORDS.keys}</div>`;
}
