// Draws the copying head's attention as ribbons, the previous-token head's as an arrow, the predicted word as a tile,
// and the most likely words as bars.
import { entryAt } from '../../../charts/entry-at.ts';
import { isInside } from '../../../charts/inside.ts';
import type { Box, Mark, Picture, Theme } from '../../../charts/picture.ts';
import type { Cursor, Frame, Scene } from '../../../charts/scene.ts';
import { textWidth } from '../../../charts/text-metrics.ts';
import type { Order } from '../../../sentence/order.ts';
import { keepStrongestWeights } from '../../../sentence/strongest.ts';
import { drawArcs } from '../../words/arcs.ts';
import { type LayoutOptions, layoutSentence, type SentenceLayout, type Tile } from '../../words/layout.ts';
import { drawWords, tileOutline, weightColor } from '../../words/marks.ts';
import { drawRibbons } from '../../words/ribbons.ts';
import type { Results } from './compute.ts';
import { strings } from './strings.ts';

const ARROW_HEIGHT = 42;
/** Height in px that `layoutSentence` reserves for encoding stripes, which this figure does not draw. */
const STRIPES_HEIGHT = 38;
const GAP = 18;
const BOTTOM_MARGIN = 4;
/** Maximum picture height for a short sentence, in wide and in narrow pictures, px. */
const [MAX_HEIGHT, NARROW_MAX_HEIGHT] = [430, 286];
/** Number of bars, and maximum width of a bar including its label, px. */
const [BAR_COUNT, MAX_BARS_WIDTH] = [3, 440];
const BAR_HEIGHT = { wide: 34, narrow: 28 } as const;
const NARROW_WIDTH = 560;
const MIN_RIBBON_WEIGHT = 0.02;
const MIN_ARROW_WEIGHT = 0.3;

const isNarrow = (width: number): boolean => width < NARROW_WIDTH;

export interface NextWordLayout extends SentenceLayout {
  readonly predictionTile: Tile;
  /** The lower edge of the words, px. */
  readonly bottomEdge: number;
  readonly bars: Box;
}

/** Reserves a tile for the longest word, so that the layout does not depend on the predicted word. */
export function layoutNextWord(placedWords: readonly string[], options: LayoutOptions): NextWordLayout {
  const longestWord = placedWords.reduce((longest, word) => (textWidth(word, 16) > textWidth(longest, 16) ? word : longest), '');
  const barsHeight = BAR_COUNT * (isNarrow(options.width) ? BAR_HEIGHT.narrow : BAR_HEIGHT.wide);
  const maxTotalHeight = Math.min(options.maxHeight ?? MAX_HEIGHT, isNarrow(options.width) ? NARROW_MAX_HEIGHT : MAX_HEIGHT);
  const maxHeight = maxTotalHeight - ARROW_HEIGHT - barsHeight - BOTTOM_MARGIN + STRIPES_HEIGHT;
  const layout = layoutSentence([...placedWords, longestWord], { ...options, maxHeight });
  const predictionTile = layout.tiles.at(-1) as Tile;
  const bottomEdge = predictionTile.word.y + predictionTile.word.height;
  const width = Math.min(MAX_BARS_WIDTH, options.width);
  const y = bottomEdge + (layout.largeTileSizes ? ARROW_HEIGHT : GAP);
  return {
    ...layout,
    tiles: layout.tiles.slice(0, -1),
    predictionTile,
    bottomEdge,
    bars: { x: Math.floor((options.width - width) / 2), y, width, height: barsHeight },
    height: y + barsHeight + BOTTOM_MARGIN,
  };
}

/** Drawn position and attention weight of a word. Arrays of states are in the words' original order. */
export interface WordState {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
  readonly isDragged?: boolean;
}

/** Returns the word states when no animation is running. `order` is that of the layout; the weights may be for an older one. */
export function createRestingStates(layout: NextWordLayout, order: Order, { weights, order: weightOrder }: Results): WordState[] {
  const wordStates: WordState[] = [];
  for (const [position, word] of order.entries()) {
    const { x = 0, y = 0 } = layout.tiles[position]?.word ?? {};
    wordStates[word] = { x, y, weight: weights[weightOrder.indexOf(word)] ?? Number.NaN };
  }
  return wordStates;
}

function barMarks({ guesses }: Results, { bars: { x, y, width, height } }: NextWordLayout, theme: Theme): Mark[] {
  const rowHeight = height / BAR_COUNT;
  const nameWidth = Math.round(0.3 * width);
  const trackWidth = width - nameWidth - 74;
  return guesses.slice(0, BAR_COUNT).flatMap(({ word, probability }, row): Mark[] => {
    const middleY = y + (row + 0.5) * rowHeight;
    const size = row === 0 ? 22 : 18;
    const barLength = Math.max(2, trackWidth * probability);
    return [
      {
        kind: 'text',
        tone: 'ink',
        x: x + nameWidth - 12,
        y: middleY,
        anchor: 'end',
        size: Math.min(size, (size * (nameWidth - 14)) / textWidth(word, size)),
        text: word,
        serif: true,
      },
      {
        kind: 'rect',
        tone: 'hairline',
        key: `track-${row}`,
        x: x + nameWidth,
        y: middleY - 9,
        width: trackWidth,
        height: 18,
        opacity: 0.45,
      },
      {
        kind: 'rect',
        tone: 'accent',
        key: `bar-${row}`,
        x: x + nameWidth,
        y: middleY - 9,
        width: barLength,
        height: 18,
        color: weightColor(Math.max(0.25, probability), theme).fill,
      },
      {
        kind: 'text',
        tone: row === 0 ? 'ink' : 'muted',
        x: x + nameWidth + trackWidth + 10,
        y: middleY,
        size: 16,
        bold: row === 0,
        text: strings.percent(probability),
      },
    ];
  });
}

function guessMarks({ guesses }: Results, { predictionTile, fontSize, largeTileSizes }: NextWordLayout, theme: Theme): Mark[] {
  const [likeliest] = guesses;
  if (!likeliest) return [];
  const { word } = predictionTile;
  const { fill, textColor } = weightColor(0.7 * likeliest.probability, theme);
  const fittedSize = Math.min(fontSize, (fontSize * (word.width - 8)) / textWidth(likeliest.word, fontSize));
  const weightFontSize = largeTileSizes?.weightFontSize ?? 0;
  const middleY = word.y + word.height / 2;
  return [
    { kind: 'path', tone: 'halo', color: fill, d: tileOutline(word, 0), fill: true },
    { kind: 'path', tone: 'accent', d: tileOutline(word, 0), stroke: 2.5, dashed: true },
    {
      kind: 'text',
      tone: 'ink',
      color: textColor,
      x: predictionTile.arcEnd.x,
      y: largeTileSizes ? middleY - weightFontSize / 2 - 2 : middleY,
      anchor: 'middle',
      size: fittedSize,
      text: likeliest.word,
      serif: true,
    },
    ...(largeTileSizes
      ? [
          {
            kind: 'text',
            tone: 'ink',
            color: textColor,
            x: predictionTile.arcEnd.x,
            y: middleY + fontSize / 2,
            anchor: 'middle',
            size: weightFontSize,
            text: strings.percent(likeliest.probability),
          } as const,
        ]
      : []),
  ];
}

function previousTokenMarks(
  { weights, previousWeights, order, placedWords }: Results,
  { bottomEdge, largeTileSizes }: NextWordLayout,
  wordStates: readonly WordState[],
  getWidth: (word: number) => number,
): Mark[] {
  if (!largeTileSizes || placedWords.length < 2) return [];
  const drawnWeights = Array.from(weights, (weight) => (Number.isFinite(weight) ? weight : -1));
  const mostAttendedWord = drawnWeights.indexOf(Math.max(...drawnWeights));
  const weight = entryAt(previousWeights, mostAttendedWord);
  if (mostAttendedWord < 1 || entryAt(drawnWeights, mostAttendedWord) < MIN_ARROW_WEIGHT || !(weight >= MIN_ARROW_WEIGHT)) return [];
  const x = (position: number): number => {
    const word = entryAt(order, position);
    return (wordStates[word]?.x ?? 0) + getWidth(word) / 2;
  };
  const [a, b] = [x(mostAttendedWord), x(mostAttendedWord - 1)];
  const [y, lowY] = [bottomEdge + 6, bottomEdge + 24];
  const head = b < a ? 1 : -1;
  const d = `M${a} ${y}C${a} ${lowY},${b} ${lowY},${b} ${y}`;
  const arrowHead = `M${b - 5} ${y + 6}L${b} ${y - 1}L${b + 5} ${y + 6}`;
  const label = textWidth(strings.previousWordLabel, 13) < Math.abs(a - b) * 2 + 40 ? strings.previousWordLabel : '';
  const stroke = 1 + 2.5 * weight;
  return [
    { kind: 'path', tone: 'series-2', key: 'back', d, stroke },
    { kind: 'path', tone: 'series-2', key: `tip-${head}`, d: arrowHead, stroke },
    { kind: 'text', tone: 'series-2', x: (a + b) / 2, y: lowY + 9, anchor: 'middle', size: 13, text: label },
  ];
}

export function movingMarks(
  results: Results,
  layout: NextWordLayout,
  wordStates: readonly WordState[],
  order: Order,
  key: number | undefined,
  theme: Theme,
): readonly Mark[] {
  const { words, firstPosition } = results;
  const { predictionTile, largeTileSizes, tiles, width, height } = layout;
  const getTile = (word: number): Tile => tiles[order.indexOf(word)] ?? predictionTile;
  const queryIndex = words.length;
  if (largeTileSizes) {
    const ribbonEnds = wordStates.map(({ x, y, weight }, word) => ({
      x: x + getTile(word).word.width / 2,
      y,
      width: getTile(word).word.width,
      weight: weight >= MIN_RIBBON_WEIGHT ? weight : 0,
      previousWeight: undefined,
    }));
    const predictionEnd = {
      x: predictionTile.arcEnd.x,
      y: predictionTile.word.y,
      width: predictionTile.word.width,
      weight: 0,
      previousWeight: undefined,
    };
    return [
      ...drawRibbons({ ends: [...ribbonEnds, predictionEnd], queryIndex, arcHeight: largeTileSizes.arcHeight, cursor: key, theme }),
      ...previousTokenMarks(results, layout, wordStates, (word) => getTile(word).word.width),
    ];
  }
  const arcEnds = wordStates.map(({ x, y }, word) => ({ ...getTile(word).arcEnd, x: x + getTile(word).word.width / 2, y }));
  const weights = keepStrongestWeights(Float32Array.from([...wordStates.map(({ weight }) => weight), 0]));
  const arcPicture = drawArcs({
    width,
    height,
    wordPlaces: [...arcEnds, predictionTile.arcEnd],
    weights,
    queryIndex,
    title: '',
    words: [...words, strings.predictionLabel(undefined)],
    cursor: key,
  });
  return firstPosition > 0 || arcPicture.marks.length > 0 ? arcPicture.marks : [];
}

export function createStaticPicture(results: Results, layout: NextWordLayout, theme: Theme): Picture {
  const { placedWords, guesses } = results;
  const text = placedWords.slice(-12).join(' ');
  const likelyWords = guesses.slice(0, BAR_COUNT).map(({ word, probability }) => strings.guessLabel(word, probability));
  return {
    width: layout.width,
    height: layout.height,
    title: strings.pictureTitle(text),
    description: strings.description(text, likelyWords.join(', ')),
    rasters: [],
    marks: [...guessMarks(results, layout, theme), ...barMarks(results, layout, theme)],
  };
}

export function wordCursorAt({ tiles }: NextWordLayout, x: number, y: number): Cursor | undefined {
  const key = tiles.findIndex(({ box }) => isInside(box, x, y));
  return key < 0 ? undefined : { key };
}

export function nextWordScene(results: Results, { width, maxHeight, theme }: Pick<Frame, 'width' | 'maxHeight' | 'theme'>): Scene {
  const { placedWords, order, weights } = results;
  const layout = layoutNextWord(placedWords, { width, maxHeight });
  const staticPicture = createStaticPicture(results, layout, theme);
  const wordStates = createRestingStates(layout, order, results);
  const outlineMarks = ({ key }: Cursor): Mark[] => {
    const tile = key === undefined ? undefined : layout.tiles[key];
    return tile ? [{ kind: 'rect', tone: 'cursor', ...tile.word, outline: true, stroke: 2 }] : [];
  };
  return {
    picture: {
      ...staticPicture,
      marks: [
        ...movingMarks(results, layout, wordStates, order, undefined, theme),
        ...staticPicture.marks,
        ...drawWords(layout, -1, weights, theme, false),
      ],
    },
    overlay: outlineMarks,
    hit: (x, y) => wordCursorAt(layout, x, y),
    step: (cursor, right) => {
      const key = cursor.key === undefined ? placedWords.length - 1 : cursor.key + right * layout.nextDirection;
      return { key: Math.min(placedWords.length - 1, Math.max(0, key)) };
    },
  };
}
