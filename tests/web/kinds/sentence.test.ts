// The sentence with its arcs, stripes and clocks, from the real core.
import { describe, expect, it } from 'vitest';
import { holds } from '../../../web/figure/contract/kind.ts';
import { kind as attention } from '../../../web/figure/kinds/attention/index.ts';
import { arcs, arcWidth } from '../../../web/figure/kinds/sentence/arcs.ts';
import { kind } from '../../../web/figure/kinds/sentence/index.ts';
import { placeAt, sentenceLayout } from '../../../web/figure/kinds/sentence/layout.ts';
import { ribbons } from '../../../web/figure/kinds/sentence/ribbons.ts';
import { weightColor } from '../../../web/figure/kinds/sentence/weight-color.ts';
import type { Picture } from '../../../web/views/picture.ts';
import { FRAME, figureOf, means, phasor } from './sentence-means.ts';

const textsOf = ({ marks }: Picture): string[] => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));

describe('the layout of a sentence', () => {
  it.each([
    ['a few words', ['Rohan', 'killed', 'the', 'lion'], 700],
    ['many words', Array.from({ length: 60 }, (_, index) => `word${index}`), 700],
    ['512 words on a phone', Array.from({ length: 512 }, (_, index) => 'w'.repeat(1 + (index % 9))), 358],
    ['a word wider than the figure', ['Donaudampfschifffahrtsgesellschaftskapitän', 'a'], 300],
  ])('keeps tiles inside and apart: %s', (_, placed, width) => {
    const layout = sentenceLayout(placed, { width });
    const { tiles, height } = layout;
    expect(tiles).toHaveLength(placed.length);
    for (const [place, { box, arc }] of tiles.entries()) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      expect(placeAt(layout, arc.x, arc.y + 2)?.place).toBe(place);
      const next = tiles[place + 1]?.box;
      if (next) expect(next.x >= box.x + box.width || next.y >= box.y + box.height).toBe(true);
    }
  });
});

describe('a sentence of several lines', () => {
  const placed = ['Rohan', 'killed', 'the', 'lion', 'and', 'went', 'home'];

  it('has positions that the loop of a word below them does not cover', () => {
    const { tiles, width, height } = sentenceLayout(placed, { width: 300 });
    const places = tiles.map(({ arc }) => arc);
    const chosen = placed.length - 1;
    const { marks } = arcs({ places, weights: placed.map((_, at) => Number(at === chosen)), chosen, width, height, title: '' });
    const loop = marks[0];
    const [, y0 = 0, , y1 = 0] = (loop?.kind === 'path' ? (loop.d.match(/-?[\d.]+/g) ?? []) : []).map(Number);
    // A cubic reaches three quarters of the way to its control points; its stroke is as wide as a weight of 1.
    const top = y0 - 0.75 * (y0 - y1) - arcWidth(1) / 2;
    expect(top).toBeGreaterThan((tiles[0]?.position.y ?? 0) + 5.5);
    expect(y0 - top).toBeGreaterThan(30);
  });

  it('has larger labels where these are asked for, never larger than the words, in the same height', () => {
    const short = sentenceLayout(['dog', 'bites', 'man'], { width: 1200, maxHeight: 150, labels: 18 });
    expect(short.labels).toBe(18);
    expect(short.height).toBeLessThanOrEqual(151);
    const long = sentenceLayout(Array(300).fill('lion'), { width: 1200, maxHeight: 150, labels: 18 });
    expect([long.labels, long.size]).toEqual([15, 17]);
    expect(sentenceLayout(Array(300).fill('lion'), { width: 1200 }).size).toBe(14);
  });
});

describe('a short sentence', () => {
  const placed = ['to', 'be', 'or', 'not', 'to', 'be'];

  it('has large tiles in one line, all alike, on a page and on a phone', () => {
    for (const [width, least] of [
      [900, 110],
      [760, 80],
      [358, 50],
    ] as const) {
      const { tiles, large, size } = sentenceLayout(placed, { width, hasCodes: true });
      expect(large).toBeDefined();
      expect(new Set(tiles.map(({ word }) => word.width)).size).toBe(1);
      expect(tiles[0]?.word.width).toBeGreaterThanOrEqual(least);
      expect(size).toBeGreaterThanOrEqual(24);
    }
    expect(sentenceLayout(Array(9).fill('word'), { width: 358 }).large).toBeUndefined();
    expect(sentenceLayout(Array(10).fill('a'), { width: 900 }).large).toBeUndefined();
  });

  it('has ribbons that share nine tenths of the chosen tile and nest', () => {
    const weights = [0.16, 0.21, 0.05, 0.21, 0.16, 0.21];
    const ends = weights.map((weight, word) => ({ x: 60 + 130 * word, y: 200, width: 118, weight, before: undefined }));
    const marks = ribbons({ ends, chosen: 5, sky: 190, cursor: undefined, theme: 'light' }).filter(({ key }) => key?.startsWith('ribbon-'));
    expect(marks).toHaveLength(6);
    const starts = marks.flatMap((mark) => (mark.kind === 'path' ? [[mark.key, Number(mark.d.split(' ')[1])] as const] : []));
    const at = Object.fromEntries(starts);
    // The outer edge of each: the farthest word leaves at the right of all others, the stub is beside it.
    const outer = [0, 1, 2, 3, 4].map((word) => at[`ribbon-${word}`] as number);
    for (const [word, x] of outer.entries()) if (word > 0) expect(x).toBeLessThan(outer[word - 1] as number);
    const first = (outer[4] as number) - 0.16 * 0.9 * 118;
    expect(first).toBeCloseTo(60 + 650 - 0.45 * 118, 1);
    expect(at['ribbon-5']).toBeCloseTo(outer[0] as number, 1);
  });

  it('shows by a dashed line where a weight was that has moved by more than 0.06, and draws nothing for what is masked', () => {
    const ends = [
      [0.5, 0.1],
      [0.5, 0.46],
      [Number.NaN, undefined],
    ].map(([weight, before], word) => ({ x: 60 + 130 * word, y: 200, width: 118, weight: weight as number, before }));
    const marks = ribbons({ ends, chosen: 1, sky: 190, cursor: 0, theme: 'dark' });
    expect(marks.filter(({ key }) => key?.startsWith('ghost-')).map(({ key }) => key)).toEqual(['ghost-0']);
    expect(marks.some(({ key }) => key === 'ribbon-2')).toBe(false);
    expect(marks.find(({ key }) => key === 'edge-0')?.tone).toBe('cursor');
  });

  it('has readable words on every colour of a weight', () => {
    const luminance = (color: string): number => {
      const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
        const byte = Number.parseInt(color.slice(at, at + 2), 16) / 255;
        return byte <= 0.04045 ? byte / 12.92 : ((byte + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    for (const theme of ['light', 'dark'] as const) {
      let last: number | undefined;
      for (let weight = 0; weight <= 1; weight += 0.005) {
        const { fill, ink } = weightColor(weight, theme);
        const [a, b] = [luminance(fill), luminance(ink)];
        expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${theme} ${weight}`).toBeGreaterThanOrEqual(4.5);
        // More is farther from the ground.
        if (last !== undefined) expect(theme === 'light' ? last - a : a - last).toBeGreaterThanOrEqual(-1e-9);
        last = a;
      }
    }
  });

  it('opens with a sentence on which no position, ALiBi and RoPE differ at first sight', async () => {
    const shares = async (encoding: string) => {
      const { numbers } = await figureOf(kind, { text: placed.join(' '), heads: 8, encoding });
      const row = numbers.weights.data.subarray(30);
      return [row[1], row[5]].map((weight) => Number(weight?.toFixed(2)));
    };
    expect(await shares('none')).toEqual([0.21, 0.21]);
    expect(await shares('alibi')).toEqual([0.06, 0.48]);
    expect(await shares('rope')).toEqual([0, 0.99]);
  });

  it('with buttons has the outputs of the same move, word by word, and what each encoding makes of it', async () => {
    const given = { text: placed.join(' '), heads: 8, buttons: true };
    const atRest = await figureOf(kind, { ...given, encoding: 'none' });
    expect(atRest.numbers.noticed?.map(({ isSame }) => isSame)).toEqual([undefined, undefined, undefined]);
    expect(atRest.numbers.outputs?.now).toBe(atRest.numbers.outputs?.before);
    const order = '3,0,1,2,4,5';
    const still = await figureOf(kind, { ...given, encoding: 'none', order });
    expect(still.numbers.noticed?.map(({ encoding, isSame }) => [encoding.id, isSame])).toEqual([
      ['none', true],
      ['alibi', false],
      ['rope', false],
    ]);
    const { outputs } = still.numbers;
    expect(outputs?.isSame).toEqual(Array(6).fill(true));
    for (const [at, value] of Array.from(outputs?.before.data ?? []).entries()) expect(outputs?.now.data[at]).toBeCloseTo(value, 4);
    // Another encoding is a fourth, with its own parameters.
    const other = await figureOf(kind, { ...given, encoding: 'sinusoidal base=500', order });
    expect(other.numbers.noticed?.at(-1)).toMatchObject({ encoding: { id: 'sinusoidal', base: 500 }, isSame: false });
    const { picture } = kind.scene(still.numbers, still.spec, { ...FRAME, width: 760 });
    expect(picture.rasters).toHaveLength(12);
    expect(textsOf(picture).filter((text) => text === '= same')).toHaveLength(6);
    const rope = await figureOf(kind, { ...given, encoding: 'rope base=500', order });
    expect(
      textsOf(kind.scene(rope.numbers, rope.spec, { ...FRAME, width: 760 }).picture).filter((text) => text === '≠ changed'),
    ).toHaveLength(6);
    expect(rope.numbers.noticed?.at(-1)?.encoding).toMatchObject({ base: 500 });
  });

  it('keeps the word chosen that is chosen at first, wherever it goes', async () => {
    const { spec, numbers } = await figureOf(kind, { text: 'Rohan killed the lion', encoding: 'none', order: '3,0,1,2' });
    expect(kind.readout(numbers, spec, {})).toMatch(/“lion” attends most/);
  });
});

describe('sentence', () => {
  it('draws the weights that the attention figure shows, of the last word', async () => {
    const given = { encoding: 'rope', head: 3, order: '2,0,1,3' };
    const { spec, numbers } = await figureOf(kind, given);
    const { numbers: shown } = await figureOf(attention, given);
    expect(numbers.weights).toEqual(shown.weights);
    const row = shown.weights.data.subarray(12);
    // In so little room there are arcs.
    const strokes = kind
      .scene(numbers, spec, { ...FRAME, width: 200 })
      .picture.marks.flatMap((mark) => (mark.key?.startsWith('arc-') && 'stroke' in mark ? [mark.stroke] : []));
    expect(strokes).toEqual(
      Array.from(row)
        .sort((a, b) => a - b)
        .map((weight) => Math.max(0.5, arcWidth(weight))),
    );
    // Else the shares stand in the tiles, and ribbons and tiles have their colours.
    const { marks } = kind.scene(numbers, spec, FRAME).picture;
    const shares = marks.flatMap((mark) => (mark.kind === 'text' && mark.text.endsWith('%') ? [mark.text] : []));
    expect(shares).toEqual(Array.from(row, (weight) => `${Math.round(100 * weight)}%`));
    const colors = marks.flatMap((mark) => (mark.kind === 'path' && mark.fill ? [mark.color] : []));
    for (const weight of row) expect(colors.filter((color) => color === weightColor(weight, 'light').fill)).toHaveLength(2);
  });

  it.each([
    ['none', undefined, 0],
    ['sinusoidal', [4, 64], 32],
    ['rope', [4, 8], 8],
    ['alibi', [4, 4], 0],
    ['shaw', [4, 4], 0],
  ])('has the stripes and clocks of %s', async (encoding, shape, clocks) => {
    const { spec, numbers } = await figureOf(kind, { encoding, offset: 2 });
    const added = kind.tables(numbers, spec).find(({ name }) => name === 'added');
    expect(added?.tensor.shape).toEqual(shape);
    const { picture } = kind.scene(numbers, spec, FRAME);
    expect(picture.rasters).toHaveLength(shape ? 4 : 0);
    expect(picture.marks.filter(({ key }) => key?.startsWith('hand-'))).toHaveLength(clocks);
    const texts = textsOf(picture);
    expect(texts).toEqual(expect.arrayContaining(['Rohan', 'killed', 'the', 'lion']));
    // Without an encoding there are no positions to be seen.
    expect(texts.includes('5')).toBe(shape !== undefined);
    if (clocks > 0) expect(texts).toContain('Clocks of “lion” at position 5');
  });

  it('says what is pointed at: a weight, a number of a stripe, a clock', async () => {
    const { spec, numbers } = await figureOf(kind, { encoding: 'rope' });
    const scene = kind.scene(numbers, spec, FRAME);
    const { tiles } = sentenceLayout(numbers.placed, { width: FRAME.width });
    const [first] = tiles;
    const word = scene.hit((first?.word.x ?? 0) + 3, (first?.word.y ?? 0) + 3);
    expect(word).toEqual({ query: 3, key: 0 });
    expect(kind.readout(numbers, spec, word ?? {})).toMatch(/^“lion” attends to “Rohan”: weight 0\.\d+$/);
    const stripe = scene.hit((first?.stripe.x ?? 0) + (first?.stripe.width ?? 0) - 1, (first?.stripe.y ?? 0) + 2);
    expect(stripe).toEqual({ query: 3, key: 0, pair: 7 });
    expect(kind.readout(numbers, spec, stripe ?? {})).toBe('Position 0, pair 7: angle 0 rad');
    const dial = scene.picture.marks.find(({ key }) => key === 'dial-2') as unknown as { cx: number; cy: number };
    expect(scene.hit(dial.cx, dial.cy)).toEqual({ pair: 2 });
    expect(kind.readout(numbers, spec, { query: 1, pair: 0 })).toBe('Position 1, pair 0: angle 1.00 rad');
    expect(kind.readout(numbers, spec, {})).toMatch(/^In head 1 of 4, “lion” attends most to itself: weight 0\.\d+$/);
    expect(scene.hit(0, 0)).toBeUndefined();
    expect(scene.overlay({})).toEqual([]);
    expect(scene.overlay({ query: 1, key: 0 })).toHaveLength(2);
    expect(scene.step(scene.step({}, 1, 0), 1, 0)).toEqual({ query: 1 });
  });

  it('tells masked from small', async () => {
    const { spec, numbers } = await figureOf(kind, { mask: 'causal' });
    expect(kind.readout(numbers, spec, { query: 0, key: 2 })).toBe('“Rohan” cannot attend to “the”: it is masked');
    expect(kind.tables(numbers, spec)[0]?.tensor.data[2]).toBe(0);
  });

  it.each([
    ['as written, without positions', { encoding: 'none' }, true],
    ['as written, with positions', { encoding: 'rope' }, false],
    ['moved, without positions', { encoding: 'none', order: '1,0,3,2' }, true],
    ['moved, with positions', { encoding: 'sinusoidal', order: '1,0,3,2' }, false],
  ])('proves whether attention notices the order: %s', async (_, given, good) => {
    const { spec, numbers } = await figureOf(kind, given);
    const proof = kind.proof(numbers, spec);
    expect(holds(proof), `${proof.residual}`).toBe(good);
    expect(proof.residual).toBeGreaterThan(0);
  });

  it.each([
    ['one token', { text: '🦁' }],
    ['emoji and right-to-left', { text: 'מֶלֶךְ 👩‍👩‍👧 lion', encoding: 'alibi' }],
    ['a width of 1', { width: 1, heads: 1, encoding: 'none' }],
    ['an odd width', { width: 7, heads: 1 }],
    ['300 words', { text: 'a word '.repeat(150), encoding: 'rope' }],
  ])('draws %s', async (_, given) => {
    const { spec, numbers } = await figureOf(kind, given);
    for (const width of [700, 358]) {
      const { picture } = kind.scene(numbers, spec, { ...FRAME, width });
      expect(picture.width).toBe(width);
      expect(textsOf(picture).join(' ')).not.toMatch(/NaN|undefined/);
    }
    expect(kind.readout(numbers, spec, { query: 1e9, key: -1, channel: 1e6 })).toMatch(/attends most to/);
  });

  it.each([
    [{ text: '\n' }, 'text: there are no words in it'],
    [{ encoding: 'rope', width: 7, heads: 1 }, /^width: /],
    [{ order: '1,1' }, /^order: /],
    [{ offset: 0.5 }, 'offset: 0.5 is not a whole number'],
  ])('answers a bad figure %# with one sentence', async (given, sentence) => {
    await expect(figureOf(kind, given)).rejects.toThrow(sentence);
  });

  it.each(['none', 'causal'])('shows its picture before the proof is computed, and the same one: mask %s', async (mask) => {
    const { spec, numbers } = await figureOf(kind, { encoding: 'alibi', mask, order: '1,0,3,2', head: 2 });
    let prove = (): void => {};
    const proven = new Promise<void>((resolve) => (prove = resolve));
    const asked: string[] = [];
    const engine = {
      ...means.engine,
      layer: async (request: Parameters<typeof phasor.layer>[0]) => {
        asked.push('layer');
        return phasor.layer(request);
      },
      reorder: async (request: Parameters<typeof phasor.reorder>[0]) => {
        asked.push('reorder');
        await proven;
        return phasor.reorder(request);
      },
    } as typeof means.engine;
    const early: object[] = [];
    const whole = kind.compute(spec, { ...means, engine, early: (picture) => early.push(picture) });
    await expect.poll(() => early.length).toBe(1);
    expect(asked).toEqual(['layer', 'layer', 'reorder']);
    prove();
    const { trial, ...pictured } = numbers;
    expect(early).toEqual([pictured]);
    expect(await whole).toEqual({ ...pictured, trial });
  });

  it('passes on why words are unknown', async () => {
    const vocabulary = { meanNorm: 5, problem: 'The list could not be loaded.', prepare: async () => {}, vector: () => undefined };
    const { spec, numbers } = await figureOf(kind, {});
    expect(numbers.problem).toBeUndefined();
    const strange = await kind.compute(spec, { ...means, vocabulary });
    expect(strange).toMatchObject({ problem: 'The list could not be loaded.', known: [false, false, false, false] });
    // Unknown words are drawn once for each vocabulary, and are the same each time.
    expect((await kind.compute(spec, { ...means, vocabulary })).embeddings).toEqual(strange.embeddings);
    expect(Math.hypot(...strange.embeddings.data.subarray(0, 64))).toBeCloseTo(5, 4);
  });

  it('hands over a phasor program that makes its weights', async () => {
    const { spec, numbers } = await figureOf(kind, { order: '1,0,3,2', head: 2 });
    const { phasor: program, numpy } = (await kind.code()).code(spec, phasor.encodings, numbers);
    const body = program.replace(/^import .*$/m, '').replace(/^const phasor = .*$/m, '');
    const made = new Function('phasor', `${body}\nreturn { weights };`)(phasor);
    expect(made.weights.data).toEqual(numbers.weights.data);
    expect(numpy).toContain('added = encode(positions, embeddings.shape[1])');
  });
});
