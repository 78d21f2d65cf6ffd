// The words of the sentence as tiles that have the focus, are dragged and moved by keys.
import { html, nothing, type TemplateResult } from 'lit';
import type { Order } from '../../../sentence/order.ts';
import type { SentenceLayout } from './layout.ts';
import { words } from './words.ts';

export interface TilesParts {
  readonly words: readonly string[];
  readonly order: Order;
  readonly layout: SentenceLayout;
  /** Words by their index in the sentence as written. */
  readonly selected: number | undefined;
  /** Moved by keys. */
  readonly lifted: number | undefined;
  readonly dragged: number | undefined;
  /** The place that is pointed at. */
  readonly pointed: number | undefined;
  isUnknown(word: number): boolean;
}

/** In the order of writing, so that no tile leaves its place in the document and loses the focus; aria-owns says the order that is seen. */
export function sentenceTiles({ words: written, order, layout, isUnknown, ...one }: TilesParts): TemplateResult[] {
  const place = Object.fromEntries(order.map((word, at) => [word, at]));
  return written.map((word, index) => {
    const at = place[index] as number;
    const tile = layout.tiles[at];
    const { x = 0, y = 0, width = 0, height = 0 } = tile?.word ?? {};
    const unknown = isUnknown(index);
    const isDragged = one.dragged === index;
    const names = ['tile', ...(isDragged || one.lifted === index ? ['lifted'] : []), ...(isDragged ? ['dragged'] : [])];
    if (unknown) names.push('unknown');
    if (one.pointed === at) names.push('pointed');
    return html`<div class=${names.join(' ')} role="option" id=${`word-${index}`} data-word=${index} tabindex=${index === one.selected ? 0 : -1}
        aria-label=${word} aria-selected=${index === one.selected ? 'true' : 'false'} aria-posinset=${at + 1} aria-setsize=${written.length}
        aria-description=${unknown ? words.unknownTile : nothing}
        .style=${`transform: translate(${x}px, ${y}px); width: ${width}px; height: ${height}px; font-size: ${layout.size}px; line-height: ${height - 2}px`}
        >${tile?.text}</div>`;
  });
}
