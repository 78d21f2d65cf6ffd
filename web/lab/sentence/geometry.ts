// The layout of the words of the sentence, in CSS px of their stage.
import { inside } from '../../sentence/drag.ts';
import type { WordPlace } from '../../views/arcs.ts';
import type { Box } from '../../views/picture.ts';

export interface WordBox {
  /** The whole tile: word, stripe and position. */
  readonly tile: Box;
  /** The end point of its arcs. */
  readonly arc: WordPlace;
  /** The box of its stripe. */
  readonly stripe: Box;
}

export interface Geometry {
  readonly width: number;
  readonly height: number;
  /** By word, as an index into the original sentence. */
  readonly boxes: ReadonlyMap<number, WordBox>;
}

// Offsets, unlike bounding rectangles, are not affected by the transform of a dragged word.
const within = (part: HTMLElement, tile: HTMLElement): Box => ({
  x: tile.offsetLeft + part.offsetLeft,
  y: tile.offsetTop + part.offsetTop,
  width: part.offsetWidth,
  height: part.offsetHeight,
});

/** The word of a tile. */
export const wordOf = (tile: HTMLElement): number => Number(tile.dataset.word);

export function measure(stage: HTMLElement): Geometry {
  const boxes = new Map<number, WordBox>();
  for (const tile of stage.querySelectorAll<HTMLElement>('.tile')) {
    const word = within(tile.querySelector<HTMLElement>('.word') as HTMLElement, tile);
    const stripe = within(tile.querySelector<HTMLElement>('.stripe') as HTMLElement, tile);
    boxes.set(wordOf(tile), {
      tile: { x: tile.offsetLeft, y: tile.offsetTop, width: tile.offsetWidth, height: tile.offsetHeight },
      arc: { x: word.x + word.width / 2, y: word.y, height: stripe.y + stripe.height + 2 - word.y },
      stripe,
    });
  }
  return { width: stage.clientWidth, height: stage.clientHeight, boxes };
}

export const sameGeometry = (a: Geometry, b: Geometry): boolean =>
  a.width === b.width &&
  a.height === b.height &&
  a.boxes.size === b.boxes.size &&
  [...a.boxes].every(([word, { tile }]) => {
    const other = b.boxes.get(word)?.tile;
    return other && other.x === tile.x && other.y === tile.y && other.width === tile.width && other.height === tile.height;
  });

/** The word at a point, and the relative position of the point on its stripe (0 to 1), if it is on the stripe. */
export function wordAt({ boxes }: Geometry, x: number, y: number): { word: number; share: number | undefined } | undefined {
  for (const [word, { tile, stripe }] of boxes) {
    if (!inside(tile, x, y)) continue;
    const onStripe = inside({ ...stripe, y: stripe.y - 3, height: stripe.height + 6 }, x, y);
    return { word, share: onStripe ? (x - stripe.x) / stripe.width : undefined };
  }
  return undefined;
}
