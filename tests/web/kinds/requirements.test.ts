// The requirements figure: known properties of encodings, measured by the real core.
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/requirements/index.ts';
import { expectAnswering, expectProgram, figureOf, phasor } from './table-figures.ts';

const NAMES = ['unique', 'bounded', 'length', 'smooth', 'relative'] as const;
type Verdicts = { readonly [name: string]: string };
const SIGNS: Verdicts = { 1: '+', 0: '-', [-1]: '.' };

/** '+' holds, '-' does not, '.' does not apply; in the order of NAMES. */
async function verdicts(fields: { readonly [field: string]: unknown }): Promise<string> {
  const { results } = await figureOf(kind, fields);
  return NAMES.map((name) => SIGNS[results.findings[name].verdict]).join('');
}

describe('requirements figure', () => {
  it.each([
    ['sinusoidal', 'none', '+++++'],
    ['sin_cos', 'none', '+++++'],
    ['rope', 'none', '+++++'],
    ['rope_mixed', 'none', '+++++'],
    // Three sines of distant positions are nearly equal.
    ['sine', 'none', '-+++-'],
    ['binary', 'none', '+++--'],
    ['learned', 'none', '+++--'],
    ['index', 'none', '+-++-'],
    ['normalised_index', 'none', '++-+-'],
    // Both sides have equal biases, unless a mask hides one.
    ['alibi', 'none', '--+++'],
    ['alibi', 'causal', '+-+++'],
    ['alibi form=row_shifted', 'causal', '+-++-'],
    // Buckets and clipping merge distances.
    ['t5', 'none', '-++-+'],
    ['t5', 'causal', '-++-+'],
    ['shaw', 'none', '-++-+'],
    ['none', 'none', '-....'],
    ['none', 'causal', '-....'],
  ])('gives %s with mask %s the verdicts %s', async (encoding, mask, expected) => {
    expect(await verdicts({ encoding, mask })).toBe(expected);
  });

  it('computes the values known in closed form', async () => {
    const { findings, longestNorm } = (await figureOf(kind, { encoding: 'index', dim: 4, length: 32 })).results;
    // Each of the four channels is the position itself.
    expect(longestNorm).toBeCloseTo(62, 5);
    expect(findings.unique).toMatchObject({ value: 2, decidingPositions: [0, 1] });
    expect(findings.bounded.value).toBeCloseTo(2 * 255, 4);
    expect(findings.length.value).toBe(0);
    expect(findings.smooth.value).toBeCloseTo(2, 6);
    expect(findings.relative.value).toBe(4 * 31 ** 2);

    const sinCosResults = (await figureOf(kind, { encoding: 'sin_cos', dim: 2 })).results;
    expect(sinCosResults.findings.smooth.value).toBeCloseTo(2 * Math.sin(0.5), 6);
    // 44 radians are nearly seven rotations.
    expect(sinCosResults.findings.unique.value).toBeCloseTo(2 * Math.abs(Math.sin(22)), 5);
    expect(sinCosResults.findings.unique.decidingPositions[1] - sinCosResults.findings.unique.decidingPositions[0]).toBe(44);

    const alibiResults = (await figureOf(kind, { encoding: 'alibi', heads: 1, dim: 8, mask: 'causal' })).results;
    expect(alibiResults.findings.bounded).toMatchObject({ value: 511 / 256, threshold: 126 / 256 });

    const binaryResults = (await figureOf(kind, { encoding: 'binary' })).results;
    // From 31 to 32 all six digits change.
    expect(binaryResults.findings.smooth.value).toBeCloseTo(Math.sqrt(6), 6);
    expect(binaryResults.findings.smooth.decidingPositions).toEqual([31, 32]);
  });

  it('counts no step or distance across the end of a row of patches', async () => {
    const { results, readout } = await figureOf(kind, { encoding: 'rope_2d' });
    expect(results.lineLength).toBe(8);
    expect(results.findings.smooth.decidingPositions[1]).toBeLessThan(8);
    expect(readout({ requirement: 4 })).toMatch(/within a row of 8 patches\.$/);
  });

  it('names the positions that determine the result', async () => {
    const sinusoidalFigure = await figureOf(kind);
    expect(sinusoidalFigure.readout()).toBe('All five requirements hold.');
    expect(sinusoidalFigure.readout({ requirement: 4 })).toMatch(
      /^Relative: at each distance the dot product .* One matrix shifts every position by 1, /,
    );
    const t5Figure = await figureOf(kind, { encoding: 't5' });
    expect(t5Figure.readout()).toBe('Three of the five requirements hold; unique and smooth do not.');
    expect(t5Figure.readout({ requirement: 0 })).toMatch(
      /^Not unique: relative to position 32, positions 1 and 2 have exactly the same biases/,
    );
    const alibiFigure = await figureOf(kind, { encoding: 'alibi' });
    expect(alibiFigure.readout({ requirement: 0 })).toMatch(/positions 1 and 63, one on each side, have exactly the same biases\./);
    expect(alibiFigure.readout({ requirement: 1 })).toMatch(
      /^Not bounded: in a text of 512 tokens .* is 66\.1; in a text of 64 tokens it is 8\.26\./,
    );
    const normalisedFigure = await figureOf(kind, { encoding: 'normalised_index' });
    expect(normalisedFigure.readout({ requirement: 2 })).toMatch(
      /^Not length-independent: in a text of 128 tokens, position 63 differs by 0\.500 /,
    );
    const learnedFigure = await figureOf(kind, { encoding: 'learned' });
    expect(learnedFigure.readout({ requirement: 4 })).toMatch(
      /^Not relative: positions \d+ and \d+ have the dot product .*, at the same distance, /,
    );
    const noneFigure = await figureOf(kind, { encoding: 'none' });
    expect(noneFigure.readout()).toBe('None of the five requirements holds: there is no position information.');
    expect(noneFigure.readout({ requirement: 3 })).toMatch(/^Smooth does not apply: /);
  });

  it('reports the end of a table', async () => {
    const longFigure = await figureOf(kind, { encoding: 'learned', length: 128 });
    expect(await verdicts({ encoding: 'learned', length: 128 })).toBe('+.+--');
    expect(longFigure.readout({ requirement: 1 })).toMatch(
      /^Bounded does not apply: a text of 1024 tokens is rejected \(.*512 is outside 0 to 511\)\.$/,
    );
    expect(longFigure.readout()).toMatch(/ Bounded does not apply\.$/);
    expectAnswering(longFigure.scene(330), 330);
    const full = await figureOf(kind, { encoding: 'learned max_length=64' });
    expect(await verdicts({ encoding: 'learned max_length=64' })).toBe('+.---');
    expect(full.readout({ requirement: 2 })).toMatch(/^Length-independent does not hold: a text of 128 tokens is rejected /);
    for (const figure of [longFigure, full]) {
      const { code } = await kind.loadPrograms();
      await expectProgram({ ...figure, code: async () => code(figure.spec as never, phasor.encodings, figure.results) });
    }
  });

  it('proves whether each position is encoded independently of the others', async () => {
    for (const encoding of ['sinusoidal', 'rope', 't5', 'none'])
      expect((await figureOf(kind, { encoding })).proof().good, encoding).toBe(true);
    const normalisedProof = (await figureOf(kind, { encoding: 'normalised_index' })).proof();
    expect(normalisedProof).toMatchObject({
      good: false,
      conclusion: 'The encoding of a position depends on the other positions computed with it.',
    });
    expect((await figureOf(kind, { encoding: 'cope' })).proof().good).toBe(false);
    const masked = (await figureOf(kind, { encoding: 'none', mask: 'causal' })).proof();
    expect(masked).toMatchObject({ good: false, conclusion: 'Only the causal mask distinguishes positions.' });
  });

  it('draws every encoding at every width with a verdict for each requirement', async () => {
    // Encodings with token tensors need a text.
    for (const { id } of phasor.encodings.filter(({ tokens }) => tokens.length === 0)) {
      const figure = await figureOf(kind, { encoding: id });
      if (['sinusoidal', 'none', 't5'].includes(id)) for (const width of [900, 330]) expectAnswering(figure.scene(width), width);
      expect(JSON.stringify([figure.scene(330).picture.marks, figure.scene(900).picture.marks])).not.toMatch(/NaN|null|Infinity/);
      const { marks, description } = figure.scene(900).picture;
      const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
      expect(texts.filter((text) => /^(holds|does not hold|does not apply)$/.test(text))).toHaveLength(5);
      for (const width of [900, 640, 354])
        expect(JSON.stringify(figure.scene(width).picture.marks), `${id}, ${width} px`).not.toContain('…');
      expect(description).toMatch(/^Unique: (holds|does not hold); Bounded: /);
    }
  });

  it('never truncates the required value at any size', async () => {
    const figure = await figureOf(kind, { encoding: 'sine', dim: 1 });
    for (const width of [288, 334, 358, 700]) {
      for (const maxHeight of [undefined, 260]) {
        const { marks } = kind.scene(figure.results, figure.spec as never, { width, maxHeight, theme: 'light' }).picture;
        const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
        expect(
          texts.filter((text) => text.endsWith('at least 0.00391')),
          `${width} px`,
        ).toHaveLength(1);
      }
    }
    expect(JSON.stringify(figure.scene(334).picture.marks)).not.toContain('…');
  });

  it('responds to the pointer and arrow keys by requirement', async () => {
    const figure = await figureOf(kind);
    const scene = figure.scene();
    expect(scene.step({}, 0, 1)).toEqual({ requirement: 0 });
    expect(scene.step({ requirement: 0 }, 0, 1)).toEqual({ requirement: 1 });
    expect(scene.step({ requirement: 3 }, 1, 0)).toEqual({ requirement: 4 });
    expect(scene.step({ requirement: 4 }, 0, 1)).toEqual({ requirement: 4 });
    expect(scene.overlay({ requirement: 5 })).toEqual([]);
    expect(scene.hit(20, scene.picture.height - 60)).toEqual({ requirement: 4 });
    // A low picture keeps the names, values and verdicts.
    const low = kind.scene(figure.results, figure.spec as never, { width: 330, maxHeight: 300, theme: 'light' });
    expect(low.picture.height).toBeLessThanOrEqual(300);
    expectAnswering(low, 330);
  });

  it('exports a program that computes the same values', async () => {
    for (const encoding of ['sinusoidal', 'rope', 'rope_2d', 't5', 'none'])
      await expectProgram(await figureOf(kind, { encoding, length: 20 }));
    await expectProgram(await figureOf(kind, { encoding: 'deberta', length: 20, mask: 'causal' }));
  });

  it('rejects invalid fields with one sentence', async () => {
    await expect(figureOf(kind, { length: 1 })).rejects.toThrow(/^length: 1 is outside 16 to 256$/);
    await expect(figureOf(kind, { encoding: 'rope', heads: 3 })).rejects.toThrow(/^heads: 3 is invalid; expected a divisor of 64 \(dim\)$/);
    await expect(figureOf(kind, { encoding: 'rope', heads: 64 })).rejects.toThrow(/^dim: 1 is odd/);
    for (const input of [{ dim: 1 }, { dim: 7 }, { dim: 1, heads: 1, encoding: 't5' }, { length: 256, dim: 8 }])
      expectAnswering((await figureOf(kind, input)).scene(), 700);
  });
});
