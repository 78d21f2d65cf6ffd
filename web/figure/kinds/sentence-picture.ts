// The sentence as a picture: arcs above the words, stripes and positions below them, clocks of one position at the bottom.

import { waveAt } from '../../sentence/pictures/clocks.ts';
import { strongestWeights } from '../../sentence/pictures/sentence-overlay.ts';
import { arcs, type WordPlace } from '../../views/arcs.ts';
import { clockAt, clocks } from '../../views/clocks.ts';
import { movedMark } from '../../views/compose.ts';
import { fingerprints, stripePointer } from '../../views/fingerprint.ts';
import type { Mark, Picture } from '../../views/picture.ts';
import { type Cursor, type Frame, type Scene, stepped } from '../../views/scene.ts';
import { headIndex } from '../sentence-fields.ts';
import { placeAt, type SentenceLayout, sentenceLayout } from './sentence-layout.ts';
import { type Numbers, type Spec, stripesOf } from './sentence-numbers.ts';
import { words } from './sentence-words.ts';

const CLOCKS_GAP = 14;
const CLOCKS_HEADING = 22;
const CLOCKS_HEIGHT = 150;

/** The place whose arcs are seen: the one pointed at, else the last word, which attends to all words under any mask. */
export const queryPlace = ({ placed }: Numbers, { query }: Cursor): number =>
  query === undefined || query < 0 || query >= placed.length ? placed.length - 1 : Math.trunc(query);

/** The place of the key, when one is pointed at. */
export const keyPlace = ({ placed }: Numbers, { key }: Cursor): number | undefined =>
  key === undefined || key < 0 || key >= placed.length ? undefined : Math.trunc(key);

export const weightsOf = ({ weights: { data }, placed }: Numbers, query: number): Float32Array =>
  data.subarray(query * placed.length, (query + 1) * placed.length);

/** What is drawn under and over the words. */
export interface SentencePicture {
  /** Stripes, positions and the room for everything: the same for every cursor. */
  readonly base: Picture;
  /** Arcs, clocks and what is pointed at. `ends` are where arcs end, by place of the numbers. */
  at(cursor: Cursor, ends: readonly WordPlace[]): readonly Mark[];
  /** What stands at a point beside the words. */
  hit(x: number, y: number): Cursor | undefined;
}

export function sentencePicture(numbers: Numbers, spec: Spec, layout: SentenceLayout, { theme }: Pick<Frame, 'theme'>): SentencePicture {
  const { placed, addition, injection, order } = numbers;
  const { width } = layout;
  const stripes = stripesOf(numbers);
  const places = layout.tiles.map(({ stripe }) => stripe);
  const painted = stripes && fingerprints({ ...stripes, theme, title: words.stripes, places, width, height: layout.height });
  const positions = layout.tiles.map(
    ({ position: { x, y } }, place): Mark => ({ kind: 'text', tone: 'muted', x, y, anchor: 'middle', text: String(spec.offset + place) }),
  );
  const waves = 'waves' in addition ? addition.waves : undefined;
  const clockTop = layout.height + CLOCKS_GAP;
  const clocksOf = (place: number, cursor: Cursor) =>
    waves &&
    waves.frequencies.length > 0 &&
    clocks({
      width,
      maxHeight: CLOCKS_HEIGHT,
      frequencies: waves.frequencies,
      position: spec.offset + place,
      angles: waves.angles.subarray(place * waves.frequencies.length, (place + 1) * waves.frequencies.length),
      title: words.clocks(placed[place] as string, spec.offset + place),
      cursor: stripes && waveAt(waves, cursor[stripes.axis]),
    });
  const shown = clocksOf(0, {});
  const height = shown ? clockTop + CLOCKS_HEADING + shown.height : layout.height;
  const arcsOf = (query: number, key: number | undefined, ends: readonly WordPlace[]) =>
    arcs({
      width,
      height: layout.height,
      places: ends,
      weights: strongestWeights(weightsOf(numbers, query)),
      chosen: query,
      title: words.title(placed[query] as string, headIndex(spec) + 1),
      words: placed,
      keys: order.map(String),
      cursor: key,
    });
  const first = arcsOf(
    placed.length - 1,
    undefined,
    layout.tiles.map(({ arc }) => arc),
  );
  return {
    base: {
      width,
      height,
      title: first.title,
      description: [first, ...(painted ? [painted] : []), ...(shown ? [shown] : [])].map(({ description }) => description).join(' '),
      rasters: painted?.rasters ?? [],
      marks: [...(painted?.marks ?? []), ...(injection === 'none' ? [] : positions)],
    },
    at(cursor, ends) {
      const query = queryPlace(numbers, cursor);
      const key = keyPlace(numbers, cursor);
      const place = key ?? query;
      const stripe = places[place];
      const column = stripes && stripes.axis !== 'key' ? cursor[stripes.axis] : undefined;
      const lit: Mark[] = !painted || !stripe ? [] : [{ kind: 'rect', tone: 'cursor', ...stripe, outline: true, stroke: 2 }];
      const pointed =
        stripes && column !== undefined && column >= 0 && column < stripes.grid.columns
          ? places.flatMap((box, row) => stripePointer(box, stripes.grid.columns, column, String(row)))
          : [];
      const dials = clocksOf(place, cursor);
      const heading = (text: string): Mark => ({ kind: 'text', tone: 'ink', x: 0, y: clockTop + 7, text, size: 13, bold: true });
      const below = dials ? [heading(dials.title), ...dials.marks.map((mark) => movedMark(mark, 0, clockTop + CLOCKS_HEADING))] : [];
      return [...lit, ...pointed, ...arcsOf(query, key, ends).marks, ...below];
    },
    hit(x, y) {
      if (!shown || !waves || !stripes || y < clockTop + CLOCKS_HEADING) return undefined;
      const wave = clockAt(shown.layout, x, y - clockTop - CLOCKS_HEADING);
      const column = wave === undefined ? undefined : waves.columns[wave]?.[0];
      return column === undefined ? undefined : { [stripes.axis]: column };
    },
  };
}

/** What a point of the words is: the key of the chosen query, and the number on its stripe. */
export function wordCursor(numbers: Numbers, layout: SentenceLayout, query: number, x: number, y: number): Cursor | undefined {
  const found = placeAt(layout, x, y);
  if (!found) return undefined;
  const stripes = stripesOf(numbers);
  const column =
    stripes && stripes.axis !== 'key' && found.share !== undefined
      ? { [stripes.axis]: Math.min(stripes.grid.columns - 1, Math.floor(found.share * stripes.grid.columns)) }
      : {};
  return { query, key: found.place, ...column };
}

function wordMarks({ tiles, size }: SentenceLayout, numbers: Numbers): Mark[] {
  const chosen = queryPlace(numbers, {});
  return tiles.flatMap(({ word, text, arc }, place): Mark[] => [
    { kind: 'rect', tone: 'halo', ...word },
    { kind: 'rect', tone: place === chosen ? 'accent' : 'hairline', ...word, outline: true, stroke: place === chosen ? 2 : 1 },
    { kind: 'text', tone: 'ink', x: arc.x, y: word.y + word.height / 2, anchor: 'middle', size, text },
  ]);
}

/** The sentence without tiles: in files, and where no program runs. */
export function sentenceScene(numbers: Numbers, spec: Spec, frame: Frame): Scene {
  const layout = sentenceLayout(numbers.placed, frame.width);
  const { base, at, hit } = sentencePicture(numbers, spec, layout, frame);
  const ends = layout.tiles.map(({ arc }) => arc);
  const outline = (place: number | undefined, tone: 'accent' | 'cursor'): Mark[] => {
    const tile = place === undefined ? undefined : layout.tiles[place];
    return tile ? [{ kind: 'rect', tone, ...tile.word, outline: true, stroke: 2 }] : [];
  };
  return {
    picture: { ...base, marks: [...base.marks, ...at({}, ends), ...wordMarks(layout, numbers)] },
    overlay: (cursor) => [
      ...outline(cursor.query === undefined ? undefined : queryPlace(numbers, cursor), 'accent'),
      ...outline(keyPlace(numbers, cursor), 'cursor'),
    ],
    hit: (x, y) => wordCursor(numbers, layout, queryPlace(numbers, {}), x, y) ?? hit(x, y),
    step: (cursor, right) => ({ ...cursor, query: stepped(cursor.query, right, numbers.placed.length) }),
  };
}
