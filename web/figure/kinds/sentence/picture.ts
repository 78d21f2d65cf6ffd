// The sentence as a picture: arcs above the words, stripes and positions below them, clocks of one position at the bottom.

import { waveAt } from '../../../sentence/addition.ts';
import { strongestWeights } from '../../../sentence/strongest.ts';
import { clockAt, clocks } from '../../../views/clocks.ts';
import { movedMark } from '../../../views/compose.ts';
import type { Mark, Picture } from '../../../views/picture.ts';
import { type Cursor, type Frame, type Scene, stepped } from '../../../views/scene.ts';
import { shorten } from '../../../views/text-metrics.ts';
import { headIndex } from '../../numbers/sentence-fields.ts';
import { arcs, type WordPlace } from './arcs.ts';
import { fingerprints, stripePointer } from './fingerprint.ts';
import { placeAt, type SentenceLayout, sentenceLayout } from './layout.ts';
import { type Pictured, type Spec, stripesOf } from './numbers.ts';
import { words } from './words.ts';

const CLOCKS_GAP = 14;
const CLOCKS_HEADING = 22;
const CLOCKS_HEIGHT = 150;

/** The last word attends to all words under any mask. In a text that scrolls, a word that is in sight. */
export const restingPlace = (count: number): number => (count <= 40 ? count - 1 : 30);

/** The place whose arcs are seen: the one pointed at, else one that shows much. */
export const queryPlace = ({ placed }: Pictured, { query }: Cursor): number =>
  query === undefined || query < 0 || query >= placed.length ? restingPlace(placed.length) : Math.trunc(query);

/** The place of the key, when one is pointed at. */
export const keyPlace = ({ placed }: Pictured, { key }: Cursor): number | undefined =>
  key === undefined || key < 0 || key >= placed.length ? undefined : Math.trunc(key);

export const weightsOf = ({ weights: { data }, placed }: Pictured, query: number): Float32Array =>
  data.subarray(query * placed.length, (query + 1) * placed.length);

/** What is drawn under and over the words, and below them. */
export interface SentencePicture {
  /** Stripes, positions and the room for arcs: the same for every cursor. */
  readonly base: Picture;
  /** Arcs and what is pointed at. `ends` are where arcs end, by place of the numbers. */
  at(cursor: Cursor, ends: readonly WordPlace[]): readonly Mark[];
  /** The clocks of the position pointed at, for encodings that are made of waves. */
  readonly dials: ((cursor: Cursor) => Picture) | undefined;
  /** The clock at a point of them. */
  dialAt(x: number, y: number): Cursor | undefined;
}

type DialsPart = Pick<SentencePicture, 'dials' | 'dialAt'>;

/** The clocks under a line that says whose they are. */
function dialsOf(numbers: Pictured, { offset, clocks: wanted }: Spec, width: number): DialsPart {
  const { addition, placed } = numbers;
  const waves = 'waves' in addition ? addition.waves : undefined;
  const axis = stripesOf(numbers)?.axis;
  if (!wanted || !waves || !axis || waves.frequencies.length === 0) return { dials: undefined, dialAt: () => undefined };
  const { frequencies, angles, columns } = waves;
  const drawn = (cursor: Cursor) => {
    const place = keyPlace(numbers, cursor) ?? queryPlace(numbers, cursor);
    return clocks({
      width,
      maxHeight: CLOCKS_HEIGHT,
      frequencies,
      position: offset + place,
      angles: angles.subarray(place * frequencies.length, (place + 1) * frequencies.length),
      title: words.clocks(placed[place] as string, offset + place),
      cursor: waveAt(waves, cursor[axis]),
    });
  };
  const { layout } = drawn({});
  return {
    dials(cursor) {
      const picture = drawn(cursor);
      const heading: Mark = { kind: 'text', tone: 'ink', x: 0, y: 7, text: shorten(picture.title, width, 13, true), size: 13, bold: true };
      const marks = [heading, ...picture.marks.map((mark) => movedMark(mark, 0, CLOCKS_HEADING))];
      return { ...picture, height: picture.height + CLOCKS_HEADING, marks };
    },
    dialAt(x, y) {
      const wave = y < CLOCKS_HEADING ? undefined : clockAt(layout, x, y - CLOCKS_HEADING);
      const column = wave === undefined ? undefined : columns[wave]?.[0];
      return column === undefined ? undefined : { [axis]: column };
    },
  };
}

export function sentencePicture(numbers: Pictured, spec: Spec, layout: SentenceLayout, { theme }: Pick<Frame, 'theme'>): SentencePicture {
  const { placed, injection, order } = numbers;
  const { width, height } = layout;
  const stripes = stripesOf(numbers);
  const places = layout.tiles.map(({ stripe }) => stripe);
  const painted = stripes && fingerprints({ ...stripes, theme, title: words.stripes, places, width, height });
  const positions = layout.tiles.map(
    ({ position: { x, y } }, place): Mark => ({
      kind: 'text',
      tone: 'muted',
      size: layout.labels,
      x,
      y,
      anchor: 'middle',
      text: String(spec.offset + place),
    }),
  );
  const arcsOf = (query: number, key: number | undefined, ends: readonly WordPlace[]): Picture =>
    arcs({
      width,
      height,
      places: ends,
      weights: strongestWeights(weightsOf(numbers, query)),
      chosen: query,
      title: words.title(placed[query] as string, headIndex(spec) + 1),
      words: placed,
      keys: order.map(String),
      cursor: key,
    });
  const first = arcsOf(
    queryPlace(numbers, {}),
    undefined,
    layout.tiles.map(({ arc }) => arc),
  );
  return {
    base: {
      width,
      height,
      title: first.title,
      description: painted ? `${first.description} ${painted.description}` : first.description,
      rasters: painted?.rasters ?? [],
      marks: [...(painted?.marks ?? []), ...(injection === 'none' ? [] : positions)],
    },
    at(cursor, ends) {
      const query = queryPlace(numbers, cursor);
      const key = keyPlace(numbers, cursor);
      const stripe = places[key ?? query];
      const column = stripes && stripes.axis !== 'key' ? cursor[stripes.axis] : undefined;
      const lit: Mark[] = !painted || !stripe ? [] : [{ kind: 'rect', tone: 'cursor', ...stripe, outline: true, stroke: 2 }];
      const pointed =
        stripes && column !== undefined && column >= 0 && column < stripes.grid.columns
          ? places.flatMap((box, row) => stripePointer(box, stripes.grid.columns, column, String(row)))
          : [];
      return [...lit, ...pointed, ...arcsOf(query, key, ends).marks];
    },
    ...dialsOf(numbers, spec, width),
  };
}

/** What a point of the words is: the key of the chosen query, and the number on its stripe. */
export function wordCursor(numbers: Pictured, layout: SentenceLayout, query: number, x: number, y: number): Cursor | undefined {
  const found = placeAt(layout, x, y);
  if (!found) return undefined;
  const stripes = stripesOf(numbers);
  const column =
    stripes && stripes.axis !== 'key' && found.share !== undefined
      ? { [stripes.axis]: Math.min(stripes.grid.columns - 1, Math.floor(found.share * stripes.grid.columns)) }
      : {};
  return { query, key: found.place, ...column };
}

function wordMarks({ tiles, size }: SentenceLayout, numbers: Pictured): Mark[] {
  const chosen = queryPlace(numbers, {});
  return tiles.flatMap(({ word, text, arc }, place): Mark[] => [
    { kind: 'rect', tone: 'halo', ...word },
    { kind: 'rect', tone: place === chosen ? 'accent' : 'hairline', ...word, outline: true, stroke: place === chosen ? 2 : 1 },
    { kind: 'text', tone: 'ink', x: arc.x, y: word.y + word.height / 2, anchor: 'middle', size, text },
  ]);
}

/** The sentence without tiles: in files, and where no program runs. */
export function sentenceScene(numbers: Pictured, spec: Spec, frame: Frame): Scene {
  const layout = sentenceLayout(numbers.placed, frame.width, frame.maxHeight);
  const { base, at, dials, dialAt } = sentencePicture(numbers, spec, layout, frame);
  const ends = layout.tiles.map(({ arc }) => arc);
  const below = dials?.({});
  const top = layout.height + CLOCKS_GAP;
  const outline = (place: number | undefined, tone: 'accent' | 'cursor'): Mark[] => {
    const tile = place === undefined ? undefined : layout.tiles[place];
    return tile ? [{ kind: 'rect', tone, ...tile.word, outline: true, stroke: 2 }] : [];
  };
  return {
    picture: {
      ...base,
      height: below ? top + below.height : base.height,
      description: below ? `${base.description} ${below.title}: ${below.description}` : base.description,
      marks: [
        ...base.marks,
        ...at({}, ends),
        ...wordMarks(layout, numbers),
        ...(below?.marks.map((mark) => movedMark(mark, 0, top)) ?? []),
      ],
    },
    overlay: (cursor) => [
      ...outline(cursor.query === undefined ? undefined : queryPlace(numbers, cursor), 'accent'),
      ...outline(keyPlace(numbers, cursor), 'cursor'),
    ],
    hit: (x, y) => wordCursor(numbers, layout, queryPlace(numbers, {}), x, y) ?? dialAt(x, y - top),
    step: (cursor, right) => ({ ...cursor, query: stepped(cursor.query, right * layout.toRight, numbers.placed.length) }),
  };
}
