// Positions and sizes of words in the picture of a sentence.
import { describe, expect, it } from 'vitest';
import type { Picture } from '../../../web/charts/picture.ts';
import { kind } from '../../../web/figure/kinds/sentence/index.ts';
import { arcWidth, drawArcs } from '../../../web/figure/words/arcs.ts';
import { layoutSentence, positionAt } from '../../../web/figure/words/layout.ts';
import { weightColor } from '../../../web/figure/words/marks.ts';
import { drawRibbons } from '../../../web/figure/words/ribbons.ts';
import { FRAME, figureOf } from './sentence-means.ts';

const textsOf = ({ marks }: Picture): string[] => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));

describe('layoutSentence', () => {
  it.each([
    ['a few words', ['Rohan', 'killed', 'the', 'lion'], 700],
    ['many words', Array.from({ length: 60 }, (_, index) => `word${index}`), 700],
    ['512 words on a phone', Array.from({ length: 512 }, (_, index) => 'w'.repeat(1 + (index % 9))), 358],
    ['a word wider than the figure', ['Donaudampfschifffahrtsgesellschaftskapitän', 'a'], 300],
  ])('keeps tiles inside the width without overlap: %s', (_, words, width) => {
    const layout = layoutSentence(words, { width });
    const { tiles, height } = layout;
    expect(tiles).toHaveLength(words.length);
    for (const [location, { box, arcEnd }] of tiles.entries()) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      expect(positionAt(layout, arcEnd.x, arcEnd.y + 2)?.place).toBe(location);
      const next = tiles[location + 1]?.box;
      if (next) expect(next.x >= box.x + box.width || next.y >= box.y + box.height).toBe(true);
    }
  });
});

describe('sentence of several lines', () => {
  const words = ['Rohan', 'killed', 'the', 'lion', 'and', 'went', 'home'];

  it('keeps positions clear of the loop of a word on the line below', () => {
    const { tiles, width, height } = layoutSentence(words, { width: 300 });
    const positions = tiles.map(({ arcEnd }) => arcEnd);
    const queryIndex = words.length - 1;
    const { marks } = drawArcs({
      wordPlaces: positions,
      weights: words.map((_, index) => Number(index === queryIndex)),
      queryIndex,
      width,
      height,
      title: '',
    });
    const loop = marks[0];
    const [, y0 = 0, , y1 = 0] = (loop?.kind === 'path' ? (loop.d.match(/-?[\d.]+/g) ?? []) : []).map(Number);
    // A cubic reaches three quarters of the way to its control points; its stroke is as wide as a weight of 1.
    const top = y0 - 0.75 * (y0 - y1) - arcWidth(1) / 2;
    expect(top).toBeGreaterThan((tiles[0]?.position.y ?? 0) + 5.5);
    expect(y0 - top).toBeGreaterThan(30);
  });

  it('enlarges labels on request within the height, but never beyond the size of words', () => {
    const shortLayout = layoutSentence(['dog', 'bites', 'man'], { width: 1200, maxHeight: 150, requestedLabelSize: 18 });
    expect(shortLayout.labelFontSize).toBe(18);
    expect(shortLayout.height).toBeLessThanOrEqual(151);
    const longLayout = layoutSentence(Array(300).fill('lion'), { width: 1200, maxHeight: 150, requestedLabelSize: 18 });
    expect([longLayout.labelFontSize, longLayout.fontSize]).toEqual([15, 17]);
    expect(layoutSentence(Array(300).fill('lion'), { width: 1200 }).fontSize).toBe(14);
  });
});

describe('short sentence', () => {
  const words = ['to', 'be', 'or', 'not', 'to', 'be'];

  it('has large tiles of equal width in one line, on desktops and phones', () => {
    for (const [width, least] of [
      [900, 110],
      [760, 80],
      [358, 50],
    ] as const) {
      const { tiles, largeTileSizes, fontSize } = layoutSentence(words, { width, hasCodes: true });
      expect(largeTileSizes).toBeDefined();
      expect(new Set(tiles.map(({ word }) => word.width)).size).toBe(1);
      expect(tiles[0]?.word.width).toBeGreaterThanOrEqual(least);
      expect(fontSize).toBeGreaterThanOrEqual(24);
    }
    expect(layoutSentence(Array(9).fill('word'), { width: 358 }).largeTileSizes).toBeUndefined();
    expect(layoutSentence(Array(10).fill('a'), { width: 900 }).largeTileSizes).toBeUndefined();
  });

  it('draws nested ribbons that share nine tenths of the selected tile', () => {
    const weights = [0.16, 0.21, 0.05, 0.21, 0.16, 0.21];
    const ribbonEnds = weights.map((weight, word) => ({ x: 60 + 130 * word, y: 200, width: 118, weight, previousWeight: undefined }));
    const marks = drawRibbons({ ends: ribbonEnds, queryIndex: 5, arcHeight: 190, cursor: undefined, theme: 'light' }).filter(({ key }) =>
      key?.startsWith('ribbon-'),
    );
    expect(marks).toHaveLength(6);
    const starts = marks.flatMap((mark) => (mark.kind === 'path' ? [[mark.key, Number(mark.d.split(' ')[1])] as const] : []));
    const ribbonStarts = Object.fromEntries(starts);
    // The outer edges: the ribbon of the farthest word starts rightmost, beside the stub of the selected word.
    const outerStarts = [0, 1, 2, 3, 4].map((word) => ribbonStarts[`ribbon-${word}`] as number);
    for (const [word, x] of outerStarts.entries()) if (word > 0) expect(x).toBeLessThan(outerStarts[word - 1] as number);
    const first = (outerStarts[4] as number) - 0.16 * 0.9 * 118;
    expect(first).toBeCloseTo(60 + 650 - 0.45 * 118, 1);
    expect(ribbonStarts['ribbon-5']).toBeCloseTo(outerStarts[0] as number, 1);
  });

  it('marks the previous weight if it changed by more than 0.06, and draws no ribbon for a masked word', () => {
    const ribbonEnds = [
      [0.5, 0.1],
      [0.5, 0.46],
      [Number.NaN, undefined],
    ].map(([weight, previousWeight], word) => ({ x: 60 + 130 * word, y: 200, width: 118, weight: weight as number, previousWeight }));
    const marks = drawRibbons({ ends: ribbonEnds, queryIndex: 1, arcHeight: 190, cursor: 0, theme: 'dark' });
    expect(marks.filter(({ key }) => key?.startsWith('ghost-')).map(({ key }) => key)).toEqual(['ghost-0']);
    expect(marks.some(({ key }) => key === 'ribbon-2')).toBe(false);
    expect(marks.find(({ key }) => key === 'edge-0')?.tone).toBe('cursor');
  });

  it('has a text contrast of at least 4.5 on every weight colour', () => {
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
        const { fill, textColor } = weightColor(weight, theme);
        const [a, b] = [luminance(fill), luminance(textColor)];
        expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${theme} ${weight}`).toBeGreaterThanOrEqual(4.5);
        // Larger values have more contrast with the background.
        if (last !== undefined) expect(theme === 'light' ? last - a : a - last).toBeGreaterThanOrEqual(-1e-9);
        last = a;
      }
    }
  });

  it('starts with a sentence whose weights clearly differ between none, ALiBi and RoPE', async () => {
    const shares = async (encoding: string) => {
      const { results } = await figureOf(kind, { text: words.join(' '), heads: 8, encoding });
      const row = results.weights.data.subarray(30);
      return [row[1], row[5]].map((weight) => Number(weight?.toFixed(2)));
    };
    expect(await shares('none')).toEqual([0.21, 0.21]);
    expect(await shares('alibi')).toEqual([0.06, 0.48]);
    expect(await shares('rope')).toEqual([0, 0.99]);
  });

  it('compares the outputs of a move per word and per encoding if it has buttons', async () => {
    const fields = { text: words.join(' '), heads: 8, buttons: true };
    const atRest = await figureOf(kind, { ...fields, encoding: 'none' });
    expect(atRest.results.moveResults?.map(({ isSame }) => isSame)).toEqual([undefined, undefined, undefined]);
    expect(atRest.results.outputs?.after).toBe(atRest.results.outputs?.before);
    const order = '3,0,1,2,4,5';
    const still = await figureOf(kind, { ...fields, encoding: 'none', order });
    expect(still.results.moveResults?.map(({ encoding, isSame }) => [encoding.id, isSame])).toEqual([
      ['none', true],
      ['alibi', false],
      ['rope', false],
    ]);
    const { outputs } = still.results;
    expect(outputs?.isSame).toEqual(Array(6).fill(true));
    for (const [at, value] of Array.from(outputs?.before.data ?? []).entries()) expect(outputs?.after.data[at]).toBeCloseTo(value, 4);
    // Another encoding is added as a fourth, with its parameters.
    const otherFigure = await figureOf(kind, { ...fields, encoding: 'sinusoidal base=500', order });
    expect(otherFigure.results.moveResults?.at(-1)).toMatchObject({ encoding: { id: 'sinusoidal', base: 500 }, isSame: false });
    const { picture } = kind.scene(still.results, still.spec, { ...FRAME, width: 760 });
    expect(picture.rasters).toHaveLength(12);
    expect(textsOf(picture).filter((text) => text === '= same')).toHaveLength(6);
    const rope = await figureOf(kind, { ...fields, encoding: 'rope base=500', order });
    expect(
      textsOf(kind.scene(rope.results, rope.spec, { ...FRAME, width: 760 }).picture).filter((text) => text === '≠ changed'),
    ).toHaveLength(6);
    expect(rope.results.moveResults?.at(-1)?.encoding).toMatchObject({ base: 500 });
  });

  it('keeps the initial word selected when it moves', async () => {
    const { spec, results } = await figureOf(kind, { text: 'Rohan killed the lion', encoding: 'none', order: '3,0,1,2' });
    expect(kind.readout(results, spec, {})).toMatch(/“lion” attends most/);
  });
});
