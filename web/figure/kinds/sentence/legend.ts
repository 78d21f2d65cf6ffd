// The legend of the stripes and position labels. It is drawn beside the words if there is space; otherwise, the notes
// below the picture contain it.
import { textWidth } from '../../../charts/text-metrics.ts';
import type { SentenceLayout } from '../../words/layout.ts';
import { createStripes, type SentenceData } from './compute.ts';
import { strings } from './strings.ts';

const getLegend = (results: SentenceData, layout: SentenceLayout): string | undefined => {
  const stripes = layout.largeTileSizes?.codes ? undefined : createStripes(results);
  return stripes && strings.legend[stripes.cursorAxis];
};

type LegendLine = readonly [y: number, text: string];

/** Returns the legends to the left of the words. Empty if there is no space. */
export function createLegendLines(results: SentenceData, layout: SentenceLayout): LegendLine[] {
  const legend = getLegend(results, layout);
  const [firstTile] = layout.tiles;
  const left = Math.min(...layout.tiles.map(({ stripe }) => stripe.x));
  if (!layout.largeTileSizes || !firstTile || legend === undefined || left < textWidth(legend, layout.labelFontSize) + 12) return [];
  return [
    [firstTile.stripe.y + firstTile.stripe.height / 2, legend],
    [firstTile.position.y, strings.position],
  ];
}

/** Returns the legend for the notes below the picture. Undefined if the picture already contains it. */
export const getStripesNote = (results: SentenceData, layout: SentenceLayout): string | undefined =>
  createLegendLines(results, layout).length > 0 ? undefined : getLegend(results, layout);
