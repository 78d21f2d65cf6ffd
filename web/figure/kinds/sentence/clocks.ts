// Draws the clocks of one position below the sentence, if the encoding has sinusoids.

import { clockAt, renderClocks } from '../../../charts/clocks/clocks.ts';
import { translateMark } from '../../../charts/compose.ts';
import type { Mark, Picture } from '../../../charts/picture.ts';
import type { Cursor } from '../../../charts/scene.ts';
import { shorten } from '../../../charts/text-metrics.ts';
import { findWaveIndex } from '../../../sentence/addition.ts';
import { createStripes, type SentenceData, type Spec } from './compute.ts';
import { strings } from './strings.ts';

const HEADING_HEIGHT = 22;
const CLOCKS_HEIGHT = 150;

export interface ClocksPart {
  /** Draws the clocks of the position at the cursor. Undefined if there are no clocks to draw. */
  readonly drawClocks: ((cursor: Cursor) => Picture) | undefined;
  cursorAtClock(x: number, y: number): Cursor | undefined;
}

/**
 * Creates the clocks and a heading that names their word and position. `positionAt` returns the index of the word at
 * the cursor, in the current order.
 */
export function createClocksPart(
  results: SentenceData,
  { positionOffset, clocks: isShown }: Spec,
  width: number,
  positionAt: (cursor: Cursor) => number,
): ClocksPart {
  const { addition, placedWords } = results;
  const waves = 'waves' in addition ? addition.waves : undefined;
  const axis = createStripes(results)?.cursorAxis;
  if (!isShown || !waves || !axis || waves.frequencies.length === 0) return { drawClocks: undefined, cursorAtClock: () => undefined };
  const { frequencies, angles, columns } = waves;
  const renderClocksAt = (cursor: Cursor) => {
    const location = positionAt(cursor);
    return renderClocks({
      width,
      maxHeight: CLOCKS_HEIGHT,
      frequencies,
      position: positionOffset + location,
      angles: angles.subarray(location * frequencies.length, (location + 1) * frequencies.length),
      title: strings.clocksTitle(placedWords[location] as string, positionOffset + location),
      cursor: findWaveIndex(waves, cursor[axis]),
    });
  };
  const { layout } = renderClocksAt({});
  return {
    drawClocks(cursor) {
      const picture = renderClocksAt(cursor);
      const heading: Mark = { kind: 'text', tone: 'ink', x: 0, y: 7, text: shorten(picture.title, width, 13, true), size: 13, bold: true };
      const marks = [heading, ...picture.marks.map((mark) => translateMark(mark, 0, HEADING_HEIGHT))];
      return { ...picture, height: picture.height + HEADING_HEIGHT, marks };
    },
    cursorAtClock(x, y) {
      const waveIndex = y < HEADING_HEIGHT ? undefined : clockAt(layout, x, y - HEADING_HEIGHT);
      const column = waveIndex === undefined ? undefined : columns[waveIndex]?.[0];
      return column === undefined ? undefined : { [axis]: column };
    },
  };
}
