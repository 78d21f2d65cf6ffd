// The legend of the stripes and position labels. It is drawn beside the words if there is space; otherwise, the notes
// below the picture contain it.
import { textWidth } from '../../../charts/text-metrics.ts';
import type { SentenceLayout } from '../../words/layout.ts';
import { createStripes, type SentenceData } from './compute.ts';
import { strings } from './strings.ts';

const legendOf = (numbers: SentenceData, layout: SentenceLayout): string | undefined => {
  const stripes = layout.largeTileSizes?.codes ? undefined : createStripes(numbers);
  return stripes && strings.legend[stripes.cursorAxis];
};

type LegendLine = readonly [y: number, text: string];

/** Returns the legends to the left of the words. Empty if there is no space. */
export function legendLines(numbers: SentenceData, layout: SentenceLayout): LegendLine[] {
  const legend = legendOf(numbers, layout);
  const [firstTile] = layout.tiles;
  const left = Math.min(...layout.tiles.map(({ stripe }) => stripe.x));
  if (!layout.largeTileSizes || !firstTile || legend === undefined || left < textWidth(legend, layout.labelFontSize) + 12) return [];
  return [
    [firstTile.stripe.y + firstTile.stripe.height / 2, legend],
    [firstTile.position.y, strings.position],
  ];
}

/** Returns the legend for the notes below the picture. Undefined if the picture already contains it. */
export const stripesNote = (numbers: SentenceData, layout: SentenceLayout): string | undefined =>
  legendLines(numbers, layout).length > 0 ? undefined : legendOf(numbers, layout);
