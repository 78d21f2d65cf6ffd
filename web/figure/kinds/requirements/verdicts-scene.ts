// Questions with answers: for each a mark, the number that decides, what is asked of it, and on a logarithmic track how far it is from that.
// Questions are an axis of the cursor.
import { logScale } from '../../../views/axis-scale.ts';
import type { Mark, Tone } from '../../../views/picture.ts';
import { type Scene, stepped } from '../../../views/scene.ts';
import { LABEL, shorten, textWidth, widest } from '../../../views/text-metrics.ts';
import { wrappedText } from '../../../views/wrapped-text.ts';

export type Answer = 'holds' | 'fails' | 'idle';

export interface VerdictRow {
  readonly name: string;
  readonly question: string;
  readonly answer: Answer;
  /** The answer as a word. */
  readonly verdict: string;
  /** What was measured, the number, and what is asked: 'closest two', '1.48', 'at least 0.0221'. Or, without a number, why. */
  readonly measured: string;
  readonly value: string;
  readonly asked: string;
  /** How many times better than asked: 1 is just enough, 0 the worst, Infinity the best. Undefined where there is no number. */
  readonly margin: number | undefined;
}

export interface VerdictsSceneSpec {
  readonly rows: readonly VerdictRow[];
  readonly axis: string;
  /** What was measured on, above the rows. */
  readonly heading: string;
  readonly title: string;
  readonly description: string;
  /** Under the track, from left to right. */
  readonly trackLabels: readonly [left: string, middle: string, right: string];
  /** What a step of the track is. */
  readonly trackNote: string;
  readonly width: number;
  readonly maxHeight?: number | undefined;
}

const NAME = 14;
const QUESTION = 12;
const VALUE = 13;
const LEAST_TRACK = 110;
const MOST_TRACK = 420;
const GLYPH = 26;
/** A second line of words beside the number. */
const LINE = 16;
const DECADES = [-3, -2, -1, 0, 1, 2, 3];
const TONES: { readonly [Each in Answer]: Tone } = { holds: 'accent', fails: 'series-2', idle: 'muted' };

/** A check, a triangle, a dash: 12 px high, its middle at y. */
function glyph(answer: Answer, x: number, y: number): Mark {
  const by = { x, y: y - 6 };
  if (answer === 'holds') return { kind: 'path', tone: 'accent', d: 'M1,7L5,11L13,1', stroke: 2.5, by };
  if (answer === 'fails') return { kind: 'path', tone: 'series-2', d: 'M7,1L13.5,12L0.5,12Z', stroke: 2, by };
  return { kind: 'path', tone: 'muted', d: 'M2,6L12,6', stroke: 2.5, by };
}

/** The number on its track: a bar from what is asked to where it stands. */
function trackMarks({ answer, margin }: VerdictRow, x: number, y: number, width: number): Mark[] {
  const across = logScale([1e-3, 1e3], [x, x + width]).clamped();
  const base: Mark[] = [
    { kind: 'line', tone: 'hairline', x1: x, y1: y, x2: x + width, y2: y },
    ...DECADES.map((power): Mark => {
      const at = across(10 ** power);
      const tall = power === 0 ? 9 : 3;
      return { kind: 'line', tone: power === 0 ? 'muted' : 'hairline', x1: at, y1: y - tall, x2: at, y2: y + tall };
    }),
  ];
  if (margin === undefined) return base;
  const tone = TONES[answer];
  const end = across(Math.max(1e-9, Math.min(1e9, margin)));
  const beyond = margin > 1e3 ? 1 : margin < 1e-3 ? -1 : 0;
  return [
    ...base,
    { kind: 'line', tone, x1: across(1), y1: y, x2: end, y2: y, stroke: 4 },
    // Beyond the track an arrow; within it a dot, which is open where the answer is no.
    ...(beyond !== 0
      ? [{ kind: 'path', tone, fill: true, d: `M0,-6L${8 * beyond},0L0,6Z`, by: { x: end - 8 * beyond, y } } as const]
      : answer === 'fails'
        ? ([
            { kind: 'circle', tone: 'halo', cx: end, cy: y, r: 5 },
            { kind: 'circle', tone, cx: end, cy: y, r: 4.5, outline: true, stroke: 2 },
          ] as const)
        : [{ kind: 'circle', tone, cx: end, cy: y, r: 5 } as const]),
  ];
}

export function verdictsScene(spec: VerdictsSceneSpec): Scene {
  const { rows, axis } = spec;
  const width = Math.max(1, spec.width);
  const room = spec.maxHeight ?? Number.POSITIVE_INFINITY;
  const verdictRoom = widest(
    rows.map(({ verdict }) => verdict),
    VALUE,
    true,
  );
  const right = width - 8;
  const heading = wrappedText([spec.heading], width - 8, QUESTION, 'muted');
  const top = heading.height + 8;
  const foot = 44;
  // A low picture has no questions, and a narrow one, where it is still too high, no tracks either.
  const fits = (each: number): boolean => top + each * rows.length + foot <= room;
  const naming = Math.max(
    widest(
      rows.map(({ name }) => name),
      NAME,
      true,
    ),
    fits(64)
      ? widest(
          rows.map(({ question }) => question),
          QUESTION,
        )
      : 0,
  );
  const numbers = Math.max(
    120,
    ...rows.map(({ value, measured, asked }) =>
      value ? Math.ceil(Math.max(textWidth(value, VALUE, true) + 8 + textWidth(measured), textWidth(asked))) + 1 : 0,
    ),
  );
  // What is left for the track where everything stands beside each other; otherwise it stands below.
  const left = GLYPH + 8 + naming + 24;
  const beside = right - verdictRoom - 20 - numbers - 22 - left;
  const isWide = beside >= LEAST_TRACK;
  const track = isWide ? { x: left, width: Math.min(MOST_TRACK, beside) } : { x: 8, width: width - 16 };
  const numbersAt = isWide ? track.x + track.width + 22 : GLYPH + 8;
  const numbersRoom = Math.max(10, (isWide ? right - verdictRoom - 20 : right) - numbersAt);

  const hasQuestions = fits(isWide ? 64 : 86);
  const hasTracks = isWide || hasQuestions || fits(68);
  // What is asked stands in a line of its own where one row has no room for it: it decides.
  const isTight = rows.some(
    ({ value, measured, asked }) => value !== '' && textWidth(`${measured}, ${asked}`) > numbersRoom - textWidth(value, VALUE, true) - 8,
  );
  const second = !isWide && isTight && fits(86 + LINE) ? LINE : 0;
  const pitch = isWide ? (hasQuestions ? 64 : 46) : hasQuestions ? 86 + second : hasTracks ? 68 : 44;
  const bottom = top + pitch * rows.length;
  const height = hasTracks ? bottom + foot : bottom + 4;

  const rowY = (index: number): number => top + index * pitch;

  function numberMarks({ measured, value, asked }: VerdictRow, y: number): Mark[] {
    if (!value) {
      const why = wrappedText([measured], numbersRoom, LABEL, 'muted');
      return why.marks.slice(0, 2).map((mark) => moved(mark, numbersAt, y - (why.marks.length > 1 ? 16 : 8)));
    }
    const digits = textWidth(value, VALUE, true);
    if (!isWide) {
      const x = numbersAt + digits + 8;
      const beside = right - x;
      const rest = shorten(measured, second ? beside : beside - textWidth(`, ${asked}`));
      return [
        { kind: 'text', tone: 'ink', bold: true, size: VALUE, x: numbersAt, y, text: value },
        { kind: 'text', tone: 'muted', x, y, text: second ? rest : `${rest}, ${asked}` },
        ...(second ? [{ kind: 'text', tone: 'muted', x, y: y + LINE, text: asked } as const] : []),
      ];
    }
    return [
      { kind: 'text', tone: 'ink', bold: true, size: VALUE, x: numbersAt, y: y - 9, text: value },
      { kind: 'text', tone: 'muted', x: numbersAt + digits + 8, y: y - 9, text: shorten(measured, numbersRoom - digits - 8) },
      { kind: 'text', tone: 'muted', x: numbersAt, y: y + 9, text: shorten(asked, numbersRoom) },
    ];
  }

  function rowMarks(row: VerdictRow, index: number): Mark[] {
    const y = rowY(index);
    const middle = y + pitch / 2;
    const name = (at: number): Mark[] => [
      glyph(row.answer, 8, at),
      { kind: 'text', tone: 'ink', bold: true, size: NAME, x: GLYPH + 8, y: at, text: row.name },
    ];
    const verdict = (at: number): Mark => ({
      kind: 'text',
      tone: row.answer === 'idle' ? 'muted' : 'ink',
      bold: true,
      size: VALUE,
      x: right,
      y: at,
      text: row.verdict,
      anchor: 'end',
    });
    const question = (at: number, space: number): Mark => ({
      kind: 'text',
      tone: 'muted',
      size: QUESTION,
      x: GLYPH + 8,
      y: at,
      text: shorten(row.question, space, QUESTION),
    });
    const rule: Mark = { kind: 'line', tone: 'hairline', x1: 0, y1: y, x2: width, y2: y };
    if (isWide) {
      return [
        rule,
        ...name(hasQuestions ? middle - 10 : middle),
        ...(hasQuestions ? [question(middle + 10, track.x - GLYPH - 24)] : []),
        ...trackMarks(row, track.x, middle, track.width),
        ...numberMarks(row, middle),
        verdict(middle),
      ];
    }
    const below = hasQuestions ? 17 : 0;
    return [
      rule,
      ...name(y + 15),
      verdict(y + 15),
      ...(hasQuestions ? [question(y + 33, right - GLYPH - 8)] : []),
      ...numberMarks(row, y + 33 + below),
      ...(hasTracks ? trackMarks(row, track.x, y + 53 + below + second, track.width) : []),
    ];
  }

  const [worse, middling, better] = spec.trackLabels;
  const axisMarks: Mark[] = hasTracks
    ? [
        { kind: 'line', tone: 'hairline', x1: 0, y1: bottom, x2: width, y2: bottom },
        { kind: 'text', tone: 'muted', x: track.x, y: bottom + 14, text: `← ${worse}` },
        { kind: 'text', tone: 'muted', x: track.x + track.width / 2, y: bottom + 14, text: middling, anchor: 'middle' },
        { kind: 'text', tone: 'muted', x: track.x + track.width, y: bottom + 14, text: `${better} →`, anchor: 'end' },
        { kind: 'text', tone: 'muted', x: track.x + track.width / 2, y: bottom + 31, text: spec.trackNote, anchor: 'middle' },
      ]
    : [];
  const at = (requirement: number | undefined): number | undefined =>
    requirement !== undefined && requirement >= 0 && requirement < rows.length ? requirement : undefined;
  return {
    picture: {
      width,
      height,
      title: spec.title,
      description: spec.description,
      rasters: [],
      marks: [...heading.marks, ...rows.flatMap(rowMarks), ...axisMarks],
    },
    overlay({ [axis]: requirement }) {
      const index = at(requirement);
      if (index === undefined) return [];
      return [{ kind: 'rect', tone: 'cursor', x: 1, y: rowY(index) + 1, width: width - 2, height: pitch - 2, outline: true, stroke: 2 }];
    },
    hit(x, y) {
      const index = Math.floor((y - top) / pitch);
      return x >= 0 && x < width && y >= top && index < rows.length ? { [axis]: index } : undefined;
    },
    step: (cursor, columns, down) => ({ ...cursor, [axis]: stepped(at(cursor[axis]), down || columns, rows.length) }),
  };
}

const moved = (mark: Mark, x: number, y: number): Mark => (mark.kind === 'text' ? { ...mark, x: mark.x + x, y: mark.y + y } : mark);
