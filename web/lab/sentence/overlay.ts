// The pictures over the sentence: arcs above the words, stripes below them.
import { arcsPicture, stripesPicture } from '../../sentence/pictures/sentence-overlay.ts';
import { type MountedPicture, mountPicture } from '../../views/render/screen.ts';
import { placeCursor } from '../cursor.ts';
import { OrderWatch } from '../order-watch.ts';
import { figure, words } from '../store.ts';
import { theme } from '../theme.ts';
import type { Geometry } from './geometry.ts';

export class SentenceOverlay {
  private readonly arcs: MountedPicture;
  private readonly stripes: MountedPicture;
  private readonly watch = new OrderWatch();
  private last: Geometry | undefined;

  constructor(private readonly hosts: { readonly arcs: HTMLElement; readonly stripes: HTMLElement }) {
    this.arcs = mountPicture(hosts.arcs);
    this.stripes = mountPicture(hosts.stripes);
  }

  /** Draws arcs and stripes; reads the signals they depend on. */
  draw(geometry: Geometry): void {
    const { width, height, boxes } = geometry;
    const shown = figure.value;
    // A figure of another sentence cannot be drawn over these words.
    const fits =
      shown !== undefined && shown.words.length === boxes.size && shown.words.every((word, index) => word === words.value[index]);
    this.hosts.arcs.hidden = this.hosts.stripes.hidden = !fits;
    if (!fits || width === 0) return;
    const cursor = placeCursor(shown);
    const placed = shown.order.flatMap((word) => boxes.get(word) ?? []);
    const stage = { width, height };
    // Animate when words moved, but not when the width of the window changed.
    const moved = this.watch.moved() || geometry !== this.last;
    const glide = moved && width === this.last?.width;
    this.last = geometry;
    this.arcs.update(
      arcsPicture(
        shown,
        cursor,
        placed.map(({ arc }) => arc),
        stage,
      ),
      { theme: theme.value, glide },
    );
    this.stripes.update(
      stripesPicture(
        shown,
        cursor,
        placed.map(({ stripe }) => stripe),
        stage,
        theme.value,
      ),
      { theme: theme.value, glide },
    );
  }

  dispose(): void {
    this.arcs.dispose();
    this.stripes.dispose();
  }
}
