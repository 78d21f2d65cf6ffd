// A small picture for each head, layers below each other: how much of a head's |q||k| each pair of channels has, fast pairs to slow ones.
import { entryAt } from '../../../views/entry-at.ts';
import { extent } from '../../../views/grid.ts';
import type { Box, Mark } from '../../../views/picture.ts';
import { type Cursor, type Frame, type Scene, stepped } from '../../../views/scene.ts';
import { LABEL, shorten, textWidth, widest } from '../../../views/text-metrics.ts';
import { type FrequencyNumbers, halvesOf, rowOf } from './frequencies.ts';
import { frequencyWords } from './frequency-words.ts';
import { headAt, headIndex, placeOf } from './heads.ts';
import { notesHeight, withNotes } from './heads-scene.ts';
import type { Spec } from './index.ts';
import { words } from './words.ts';

/** Lines of text: what lies above all heads, above those of a layer, and the name of a head with what it attends to. */
const [LEGEND, LAYER, NAME] = [24, 24, 18];
/** The numbers of the first and the last pair below the bars, and what they are. */
const [TICKS, AXIS] = [20, 22];
const [LEAST, MOST] = [56, 120];

interface Layout {
  readonly boxes: readonly Box[];
  readonly height: number;
  readonly left: number;
  readonly each: number;
}

/** The plots of all heads; a layer is a row. */
function layoutOf({ layers, heads }: FrequencyNumbers, width: number, room: number, left: number): Layout {
  const gap = width < 480 ? 8 : 20;
  const each = Math.floor((width - left - gap * (heads - 1)) / heads);
  const above = LAYER + 2 * NAME;
  const high = Math.floor(Math.max(LEAST, Math.min(MOST, (room - LEGEND - AXIS) / layers - above - TICKS)));
  const row = above + high + TICKS;
  const boxes = Array.from({ length: layers * heads }, (_, index) => ({
    x: left + (index % heads) * (each + gap),
    y: LEGEND + Math.floor(index / heads) * row + above,
    width: each,
    height: high,
  }));
  return { boxes, height: LEGEND + layers * row + AXIS, left, each };
}

function descriptionOf(numbers: FrequencyNumbers): string {
  const { shares, wavelengths } = numbers;
  const heads = Array.from({ length: entryAt(shares.shape, 0) }, (_, index) => {
    const { layer, head } = placeOf(numbers, index);
    const { max, argmax } = extent(rowOf(shares, index));
    return frequencyWords.headMost(words.place(layer, head), argmax, frequencyWords.percent(max));
  });
  const fast = halvesOf(numbers).data.at(-2) as number;
  return frequencyWords.description(heads.join('; '), frequencyWords.percent(fast), wavelengths.length);
}

const text = (tone: 'ink' | 'muted' | 'cursor', x: number, y: number, said: string, more: object = {}): Mark => ({
  kind: 'text',
  tone,
  x,
  y,
  text: said,
  ...more,
});

export function frequencyScene(numbers: FrequencyNumbers, spec: Spec, frame: Frame): Scene {
  const { shares, back, wavelengths, heads, layers, trained, model, reading, hasOtherParams } = numbers;
  const { width } = frame;
  const pairs = wavelengths.length;
  const notes = [
    [frequencyWords.reads(reading.characters.length, trained, reading.unknown, reading.total), words.trained(model, hasOtherParams)].join(
      ' ',
    ),
  ];
  // One scale for all heads, so that they can be compared.
  const top = Math.ceil(extent(shares.data).max * 10) / 10;
  const levels = [0, top / 2, top];
  const left = Math.ceil(widest(levels.map(frequencyWords.tick))) + 8;
  const { boxes, height, each } = layoutOf(numbers, width - 2, (frame.maxHeight ?? 520) - notesHeight(notes, width), left);
  const chosen = headIndex(numbers, spec);
  const thick = each / pairs;
  const yOf = (box: Box, share: number): number => box.y + box.height * (1 - share / top);
  const barOf = (index: number, pair: number): Box => {
    const box = boxes[index] as Box;
    const y = yOf(box, rowOf(shares, index)[pair] as number);
    return { x: box.x + pair * thick + Math.min(1, thick / 8), y, width: thick - Math.min(2, thick / 4), height: box.y + box.height - y };
  };
  const turning = Array.from(wavelengths).filter((tokens) => tokens <= trained).length;
  const ends = [0, pairs - 1].map((pair) => frequencyWords.wavelength(entryAt(wavelengths, pair)));

  const plotMarks = (box: Box, index: number): Mark[] => {
    const { head } = placeOf(numbers, index);
    const bottom = box.y + box.height;
    const seen = extent(rowOf(back, index));
    const isChosen = index === chosen;
    return [
      ...(turning > 0
        ? [{ kind: 'rect', tone: 'hairline', opacity: 0.45, x: box.x, y: box.y, width: turning * thick, height: box.height } as const]
        : []),
      text(isChosen ? 'ink' : 'muted', box.x, box.y - 2 * NAME + 6, shorten(words.headName(head), each), { bold: isChosen }),
      text('muted', box.x, box.y - NAME + 6, shorten(frequencyWords.back(seen.argmax, frequencyWords.tick(seen.max)), each)),
      ...Array.from({ length: pairs }, (_, pair): Mark => ({ kind: 'rect', tone: 'accent', ...barOf(index, pair) })),
      { kind: 'line', tone: 'muted', dashed: true, x1: box.x, y1: yOf(box, 1 / pairs), x2: box.x + each, y2: yOf(box, 1 / pairs) },
      {
        kind: 'line',
        tone: isChosen ? 'accent' : 'muted',
        stroke: isChosen ? 2.5 : 1,
        x1: box.x,
        y1: bottom,
        x2: box.x + each,
        y2: bottom,
      },
      text('muted', box.x, bottom + 11, ends[0] as string),
      text('muted', box.x + each, bottom + 11, ends[1] as string, { anchor: 'end' }),
    ];
  };

  /** What the shade and the dashed line mean. */
  const legend = (): Mark[] => {
    const shade = frequencyWords.shade(trained);
    const second = 18 + textWidth(shade) + 24;
    const hasRoom = second + 26 + textWidth(frequencyWords.equal) <= width;
    return [
      { kind: 'rect', tone: 'hairline', opacity: 0.45, x: 0, y: 2, width: 12, height: 12 },
      text('muted', 18, 8, shorten(shade, width - 18)),
      ...(hasRoom
        ? [
            { kind: 'line', tone: 'muted', dashed: true, x1: second, y1: 8, x2: second + 20, y2: 8 } as const,
            text('muted', second + 26, 8, frequencyWords.equal),
          ]
        : []),
    ];
  };

  const scene: Scene = {
    picture: {
      width,
      height,
      title: frequencyWords.title,
      description: descriptionOf(numbers),
      rasters: [],
      marks: [
        ...legend(),
        ...Array.from({ length: layers }, (_, layer) => {
          const { y, height: high } = boxes[layer * heads] as Box;
          return [
            text('ink', 0, y - 2 * NAME - LAYER / 2, words.layer(layer + 1), { bold: true }),
            ...levels.map((level) => text('muted', left - 6, y + high * (1 - level / top), frequencyWords.tick(level), { anchor: 'end' })),
          ];
        }).flat(),
        ...boxes.flatMap(plotMarks),
        text('muted', width - 2, height - AXIS / 2, shorten(frequencyWords.axis, width), { anchor: 'end', size: LABEL }),
      ],
    },
    overlay(cursor: Cursor): Mark[] {
      const { pair } = cursor;
      const head = headAt(numbers, cursor.head);
      const isPair = pair !== undefined && Number.isInteger(pair) && pair >= 0 && pair < pairs;
      return boxes.flatMap((box, index): Mark[] => {
        if (head !== undefined && head !== index) return [];
        const name: Mark[] =
          head === undefined
            ? []
            : [text('cursor', box.x, box.y - 2 * NAME + 6, shorten(words.headName(placeOf(numbers, index).head), each), { bold: true })];
        if (!isPair) return name;
        const column = { x: box.x + pair * thick, y: box.y, width: thick, height: box.height };
        return [
          ...name,
          { kind: 'rect', tone: 'halo', outline: true, stroke: 3, ...column },
          { kind: 'rect', tone: 'cursor', outline: true, stroke: 1.5, ...column },
        ];
      });
    },
    hit(x, y) {
      const index = boxes.findIndex((box) => x >= box.x && x < box.x + each && y >= box.y - 2 * NAME && y < box.y + box.height + TICKS);
      if (index < 0) return undefined;
      const box = boxes[index] as Box;
      return y < box.y ? { head: index } : { head: index, pair: Math.min(pairs - 1, Math.floor((x - box.x) / thick)) };
    },
    /** Along the pairs of a layer, from head to head; up and down to the same pair of another layer. */
    step(cursor, columns, rows) {
      const head = headAt(numbers, cursor.head) ?? chosen;
      const { pair } = cursor;
      if (pair === undefined || !(pair >= 0 && pair < pairs)) return { ...cursor, head, pair: 0 };
      const along = stepped((head % heads) * pairs + pair, columns, heads * pairs);
      const layer = stepped(Math.floor(head / heads), rows, layers);
      return { ...cursor, head: layer * heads + Math.floor(along / pairs), pair: along % pairs };
    },
  };
  return withNotes(scene, notes, width);
}
