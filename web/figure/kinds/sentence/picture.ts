// Draws the sentence: ribbons or arcs above the words; stripes and positions, or bar codes of the outputs, below them;
// and the clocks of one position at the bottom.

import { translateMark } from '../../../charts/compose.ts';
import type { Mark, Picture, Raster } from '../../../charts/picture.ts';
import { type Cursor, type Frame, type Scene, stepIndex } from '../../../charts/scene.ts';
import type { Order } from '../../../sentence/order.ts';
import { keepStrongestWeights } from '../../../sentence/strongest.ts';
import { clampHeadIndex } from '../../compute/sentence-fields.ts';
import { describeArcs, drawArcs } from '../../words/arcs.ts';
import { layoutSentence, positionAt, type SentenceLayout, type Tile } from '../../words/layout.ts';
import { drawWords } from '../../words/marks.ts';
import { drawRibbons } from '../../words/ribbons.ts';
import { type ClocksPart, createClocksPart } from './clocks.ts';
import { createBarCodes, paintBarCodes } from './codes.ts';
import { createStripes, type SentenceData, type Spec } from './compute.ts';
import { drawStripes, stripePointerMarks } from './fingerprint.ts';
import { createLegendLines } from './legend.ts';
import { strings } from './strings.ts';

/** Pictures narrower than this are assumed to be on a touch screen, px. */
const MAX_TOUCH_WIDTH = 420;
const CLOCKS_GAP = 14;

/**
 * Returns the index of the initially selected word: the last word, which attends to all words under any mask, or a
 * visible word if the sentence scrolls.
 */
export const getInitialWord = (count: number): number => (count <= 40 ? count - 1 : 30);

/** Returns the position whose arcs are drawn: the position at the cursor, or that of the initially selected word. */
export const getQueryPosition = ({ placedWords, order }: SentenceData, { query }: Cursor): number =>
  query === undefined || query < 0 || query >= placedWords.length ? order.indexOf(getInitialWord(placedWords.length)) : Math.trunc(query);

export const getKeyPosition = ({ placedWords }: SentenceData, { key }: Cursor): number | undefined =>
  key === undefined || key < 0 || key >= placedWords.length ? undefined : Math.trunc(key);

export const selectWeights = ({ weights: { data }, placedWords }: SentenceData, query: number): Float32Array =>
  data.subarray(query * placedWords.length, (query + 1) * placedWords.length);

/** The animated state of a word. Arrays of states are in the original word order. */
export interface AnimatedToken {
  readonly x: number;
  readonly y: number;
  /** Not finite if the word is masked. */
  readonly weight: number;
  /** The gap of the bar code, from 0 (joined) to 1. */
  readonly split: number;
  readonly isDragged?: boolean;
}

/** Returns each word's state at rest. `order` is the displayed order, which `results` may lag behind. */
export function computeRestingStates(layout: SentenceLayout, order: Order, results: SentenceData, cursor: Cursor): AnimatedToken[] {
  const weights = selectWeights(results, getQueryPosition(results, cursor));
  const wordStates: AnimatedToken[] = [];
  for (const [position, word] of order.entries()) {
    const { x = 0, y = 0 } = layout.tiles[position]?.word ?? {};
    const { outputs } = results;
    const split = outputs?.isMoved && !outputs.isSame[word] ? 1 : 0;
    wordStates[word] = { x, y, weight: weights[results.order.indexOf(word)] as number, split };
  }
  return wordStates;
}

type PictureParts = Pick<Picture, 'rasters' | 'marks'>;

export interface SentencePicture extends ClocksPart {
  /** The parts that are independent of the cursor: stripes, positions and the space for arcs. */
  readonly base: Picture;
  drawParts(cursor: Cursor, wordStates: readonly AnimatedToken[], order: Order): PictureParts;
}

function createPositionParts(results: SentenceData, { positionOffset }: Spec, layout: SentenceLayout, theme: Frame['theme']) {
  const { width, height, tiles, labelFontSize } = layout;
  const stripes = layout.largeTileSizes?.codes ? undefined : createStripes(results);
  const stripeBoxes = tiles.map(({ stripe }) => stripe);
  const stripesPicture = stripes && drawStripes({ ...stripes, theme, title: strings.stripesTitle, rowBoxes: stripeBoxes, width, height });
  const hasPositions = results.injection !== 'none' && !layout.largeTileSizes?.codes;
  const positions = tiles.map(
    ({ position: { x, y } }, index): Mark => ({
      kind: 'text',
      tone: 'muted',
      size: labelFontSize,
      x,
      y,
      anchor: 'middle',
      text: String(positionOffset + index),
    }),
  );
  const left = Math.min(...stripeBoxes.map(({ x }) => x));
  const legend = createLegendLines(results, layout).map(
    ([y, text]): Mark => ({ kind: 'text', tone: 'muted', size: labelFontSize, x: left - 10, y, anchor: 'end', text }),
  );
  return {
    description: stripesPicture?.description,
    rasters: stripesPicture?.rasters ?? [],
    marks: [...(stripesPicture?.marks ?? []), ...(hasPositions ? positions : []), ...legend],
    cursorMarks(cursor: Cursor): Mark[] {
      const stripe = stripeBoxes[getKeyPosition(results, cursor) ?? getQueryPosition(results, cursor)];
      const column = stripes && stripes.cursorAxis !== 'key' ? cursor[stripes.cursorAxis] : undefined;
      const stripeMarks: Mark[] = !stripesPicture || !stripe ? [] : [{ kind: 'rect', tone: 'cursor', ...stripe, outline: true, stroke: 2 }];
      if (!stripes || column === undefined || column < 0 || column >= stripes.grid.columns) return stripeMarks;
      return [...stripeMarks, ...stripeBoxes.flatMap((box, row) => stripePointerMarks(box, stripes.grid.columns, column, String(row)))];
    },
  };
}

export interface PictureLook {
  readonly theme: Frame['theme'];
  /** Whether the device has a touch screen, for which the instruction is worded differently. */
  readonly hasTouch: boolean;
}

const instructionMark = (y: number, width: number, hasTouch: boolean): Mark => ({
  kind: 'text',
  tone: 'ink',
  x: width / 2,
  y,
  anchor: 'middle',
  size: 17,
  text: hasTouch ? strings.touch : strings.dragInstruction,
});

export function drawSentence(results: SentenceData, spec: Spec, layout: SentenceLayout, { theme, hasTouch }: PictureLook): SentencePicture {
  const { words: originalWords, placedWords, order, outputs } = results;
  const { width, height, largeTileSizes } = layout;
  const positionParts = createPositionParts(results, spec, layout, theme);
  const createTitle = (query: number): string => strings.title(placedWords[query] as string, clampHeadIndex(spec) + 1);
  const codes = largeTileSizes?.codes;
  const pixels = codes && outputs && paintBarCodes(outputs, theme);
  const createTiles = (wordStates: readonly AnimatedToken[], placedOrder: Order): (Tile & AnimatedToken)[] =>
    wordStates.map((state, word) => ({ ...(layout.tiles[placedOrder.indexOf(word)] as Tile), ...state }));

  function drawRibbonParts(queryIndex: number, key: number | undefined, tiles: readonly (Tile & AnimatedToken)[]): PictureParts {
    const before = results.originalWeights?.data.subarray(queryIndex * originalWords.length, (queryIndex + 1) * originalWords.length);
    const ribbonEnds = tiles.map(({ x, y, weight, word }, wordIndex) => ({
      x: x + word.width / 2,
      y,
      width: word.width,
      weight,
      previousWeight: before?.[wordIndex],
    }));
    const parts = tiles.map(({ x, word: { width: tileWidth }, split }, word) => ({ word, x, width: tileWidth, split }));
    parts.sort((a, b) => Number(tiles[a.word]?.isDragged ?? false) - Number(tiles[b.word]?.isDragged ?? false));
    const code = codes && outputs && pixels ? createBarCodes(outputs, pixels, codes, parts, theme) : { rasters: [], marks: [] };
    const marks = drawRibbons({ ends: ribbonEnds, queryIndex, arcHeight: largeTileSizes?.arcHeight ?? 0, cursor: key, theme });
    return { rasters: code.rasters, marks: [...code.marks, ...marks] };
  }
  function drawArcParts(queryIndex: number, key: number | undefined, tiles: readonly (Tile & AnimatedToken)[]): PictureParts {
    return drawArcs({
      width,
      height,
      wordPlaces: tiles.map(({ x, y, word, arcEnd }) => ({ ...arcEnd, x: x + word.width / 2, y })),
      weights: keepStrongestWeights(Float32Array.from(tiles, ({ weight }) => weight)),
      queryIndex,
      title: '',
      words: originalWords,
      cursor: key,
    });
  }
  const drawWeights = largeTileSizes ? drawRibbonParts : drawArcParts;
  const query = getQueryPosition(results, {});
  const description = describeArcs({ weights: keepStrongestWeights(selectWeights(results, query)), queryIndex: query, names: placedWords });
  return {
    base: {
      width,
      height,
      title: createTitle(query),
      description: positionParts.description ? `${description} ${positionParts.description}` : description,
      rasters: positionParts.rasters,
      marks:
        largeTileSizes?.instructionY === undefined
          ? positionParts.marks
          : [...positionParts.marks, instructionMark(largeTileSizes.instructionY, width, hasTouch)],
    },
    drawParts(cursor, wordStates, placedOrder) {
      const key = getKeyPosition(results, cursor);
      const { rasters, marks } = drawWeights(
        order[getQueryPosition(results, cursor)] as number,
        key === undefined ? undefined : order[key],
        createTiles(wordStates, placedOrder),
      );
      return { rasters: rasters as readonly Raster[], marks: [...positionParts.cursorMarks(cursor), ...marks] };
    },
    ...createClocksPart(results, spec, width, (cursor) => getKeyPosition(results, cursor) ?? getQueryPosition(results, cursor)),
  };
}

/** Returns the cursor at a point: the selected query, the key at the point, and the column of the key's stripe. */
export function findCursor(results: SentenceData, layout: SentenceLayout, query: number, x: number, y: number): Cursor | undefined {
  const target = positionAt(layout, x, y);
  if (!target) return undefined;
  const stripes = layout.largeTileSizes?.codes ? undefined : createStripes(results);
  const column =
    stripes && stripes.cursorAxis !== 'key' && target.share !== undefined
      ? { [stripes.cursorAxis]: Math.min(stripes.grid.columns - 1, Math.floor(target.share * stripes.grid.columns)) }
      : {};
  return { query, key: target.place, ...column };
}

/** Draws the sentence without draggable words, for exported files and for pages without scripts. */
export function sentenceScene(results: SentenceData, spec: Spec, frame: Frame): Scene {
  const { width, maxHeight, theme } = frame;
  const layout = layoutSentence(results.placedWords, { width, maxHeight, hasCodes: spec.buttons });
  const { base, drawParts, drawClocks, cursorAtClock } = drawSentence(results, spec, layout, { theme, hasTouch: width < MAX_TOUCH_WIDTH });
  const movingParts = drawParts({}, computeRestingStates(layout, results.order, results, {}), results.order);
  const clocksPicture = drawClocks?.({});
  const clocksY = layout.height + CLOCKS_GAP;
  const outlineMarks = (position: number | undefined, tone: 'accent' | 'cursor'): Mark[] => {
    const tile = position === undefined ? undefined : layout.tiles[position];
    return tile ? [{ kind: 'rect', tone, ...tile.word, outline: true, stroke: 2 }] : [];
  };
  const query = getQueryPosition(results, {});
  return {
    picture: {
      ...base,
      height: clocksPicture ? clocksY + clocksPicture.height : base.height,
      description: clocksPicture ? `${base.description} ${clocksPicture.title}: ${clocksPicture.description}` : base.description,
      rasters: [...base.rasters, ...movingParts.rasters],
      marks: [
        ...base.marks,
        ...movingParts.marks,
        ...drawWords(layout, query, selectWeights(results, query), theme),
        ...(clocksPicture?.marks.map((mark) => translateMark(mark, 0, clocksY)) ?? []),
      ],
    },
    overlay: (cursor) => [
      ...outlineMarks(cursor.query === undefined ? undefined : getQueryPosition(results, cursor), 'accent'),
      ...outlineMarks(getKeyPosition(results, cursor), 'cursor'),
    ],
    hit: (x, y) => findCursor(results, layout, query, x, y) ?? cursorAtClock(x, y - clocksY),
    step: (cursor, right) => ({ ...cursor, query: stepIndex(cursor.query, right * layout.nextDirection, results.placedWords.length) }),
  };
}
