import { describe, expect, it } from 'vitest';
import { passes } from '../../../web/figure/contract/kind.ts';
import { kind } from '../../../web/figure/kinds/frequencies/index.ts';
import { FRAME, figureOf, refusal, textsOf } from './rotary-figure.ts';

describe('frequencies figure', () => {
  it('computes the wavelengths of the formula', async () => {
    const { results } = await figureOf(kind, { dim: 64, encoding: 'rope base=500000' });
    const [trainedFrequencies, linear] = results.scaledFrequencies;
    expect(results.scaledFrequencies.map(({ scaling }) => scaling)).toEqual(['none', 'linear', 'ntk_aware', 'yarn', 'llama3']);
    trainedFrequencies?.wavelengths.forEach((wavelength, pair) => {
      const expected = 2 * Math.PI * 500000 ** ((2 * pair) / 64);
      expect(wavelength / expected).toBeCloseTo(1, 5);
      expect((linear?.wavelengths[pair] as number) / expected).toBeCloseTo(8, 4);
    });
  });

  it('keeps the slowest pair within the trained angles with linear scaling and YaRN', async () => {
    const { results } = await figureOf(kind, { trained: 2048, length: 16384, factor: 8, compare: 'linear yarn' });
    const slowestPair = results.trainedAngles.length - 1;
    const [none, linear, yarn] = results.scaledFrequencies.map(
      ({ finalAngles }) => (finalAngles[slowestPair] as number) / (results.trainedAngles[slowestPair] as number),
    );
    expect(none).toBeCloseTo(8, 4);
    expect(linear).toBeCloseTo(1, 4);
    expect(yarn).toBeCloseTo(1, 4);
  });

  it('applies the text length to dynamic_ntk and longrope', async () => {
    const { results } = await figureOf(kind, { compare: 'dynamic_ntk longrope', length: 65536, trained: 4096, factor: 8 });
    const [none, dynamic, longrope] = results.scaledFrequencies.map(({ wavelengths }) => wavelengths.at(-1) as number) as [
      number,
      number,
      number,
    ];
    expect(dynamic / none).toBeGreaterThan(16);
    expect(longrope / none).toBeCloseTo(8, 4);
  });

  it('reports pairs that do not rotate', async () => {
    const { spec, results } = await figureOf(kind, { encoding: 'rope kept_fraction=0.25', dim: 32 });
    expect(results.notes).toContain('12 pairs do not rotate.');
    expect(kind.readout(results, spec, { pair: 15 })).toMatch(/^Pair 15 makes one rotation at no length \(no scaling\)/);
    expect(JSON.stringify(kind.scene(results, spec, FRAME).picture)).not.toMatch(/NaN|Infinity/);
  });

  it('names the axis of each pair of M-RoPE in every arrangement', async () => {
    const axesOf = async (encoding: string) => (await figureOf(kind, { encoding, dim: 16 })).results.axes?.join('');
    expect(await axesOf('mrope')).toBe('00111222');
    expect(await axesOf('mrope arrangement=interleaved')).toBe('01201201');
    expect(await axesOf('mrope arrangement=video')).toBe('12121200');
    expect(await axesOf('rope')).toBeUndefined();
    const { spec, results } = await figureOf(kind, { encoding: 'mrope', dim: 16 });
    expect(kind.readout(results, spec, { pair: 3 })).toMatch(/^Pair 3, which encodes the row, makes one rotation in /);
    const picture = kind.scene(results, spec, FRAME).picture;
    expect(textsOf(picture.marks).filter((text) => text === 'column')).toHaveLength(2);
    expect(kind.tables(results, spec).at(-1)?.tensor).toEqual({ shape: [8], data: Float32Array.of(0, 0, 1, 1, 1, 2, 2, 2) });
  });

  it('highlights the pair at the cursor in both charts', async () => {
    const { spec, results } = await figureOf(kind, { dim: 64 });
    const scene = kind.scene(results, spec, FRAME);
    expect(scene.overlay({})).toEqual([]);
    let cursor = scene.step({}, 1, 0);
    expect(cursor).toEqual({ pair: 0 });
    cursor = scene.step(scene.step(cursor, 1, 0), 0, 1);
    expect(cursor).toEqual({ pair: 1 });
    const marks = scene.overlay({ pair: 20 });
    const dots = marks.flatMap((mark) => (mark.kind === 'circle' ? [mark] : []));
    expect(dots).toHaveLength(10);
    expect(textsOf(marks).filter((text) => text === '20')).toHaveLength(2);
    for (const { cx } of dots) expect(scene.hit(cx, dots[0]?.cy as number)).toEqual(cx === dots[0]?.cx ? { pair: 20 } : expect.anything());
    expect(scene.hit(1, 1)).toBeUndefined();
    expect(kind.readout(results, spec, { pair: 20 })).toMatch(/^Pair 20 makes one rotation in 1,9(87|90) tokens \(no scaling\)/);
    expect(kind.readout(results, spec, {})).toMatch(
      /^32 pairs: one rotation takes between 6\.28 and .* tokens\. \d+ pairs do not make a full rotation within the trained length of 2,048 tokens/,
    );
  });

  it('reports that scores depend only on distance, unless the first tokens rotate at other speeds', async () => {
    for (const encoding of ['rope', 'rope scaling=yarn', 'mrope scaling=llama3']) {
      const { spec, results } = await figureOf(kind, { encoding });
      const proof = kind.proof(results, spec);
      expect(passes(proof), `${encoding}: ${proof.residual} of ${proof.tolerance}`).toBe(true);
    }
    const { spec, results } = await figureOf(kind, { encoding: 'rope scaling=longrope start_tokens=4' });
    const proof = kind.proof(results, spec);
    expect(passes(proof)).toBe(false);
    expect(proof.conclusion).toMatch(/^The first 4 tokens rotate at their original speeds/);
  });

  it('resolves fields that are not set, and formats lengths consistently', async () => {
    const { spec, results } = await figureOf(kind, {});
    expect([spec.trained, spec.dim, spec.length, spec.factor]).toEqual([0, 0, 0, 0]);
    expect(kind.resolvedFields?.(results, spec)).toEqual({ trained: 2048, dim: 128, length: 16384, factor: 8 });
    expect(results.notes).toContain('The other scalings use factor 8, text length / trained length.');
    expect(kind.readout(results, spec, {})).toMatch(/between 6\.28 and 54,400 tokens/);
    const figure = await figureOf(kind, { factor: 4 });
    expect(figure.results.notes).toContain('The other scalings use factor 4.');
  });

  it('exports tables of all scalings', async () => {
    const { spec, results } = await figureOf(kind, { dim: 8, compare: 'linear' });
    expect(kind.tables(results, spec).map(({ name, tensor }) => [name, tensor.shape])).toEqual([
      ['inv_freq', [2, 4]],
      ['wavelengths', [2, 4]],
      ['reached', [2, 4]],
      ['trained', [4]],
    ]);
  });

  it.each([
    [{ compare: 'linear magic' }, /^compare: “magic” is not none, linear, ntk_aware/],
    [{ compare: 'none linear ntk_aware dynamic_ntk by_parts yarn' }, /^compare: too many values; expected at most 5$/],
    [{ dim: 3 }, /^dim: 3 is odd/],
    [{ encoding: 'xpos' }, /xpos/],
    [{ encoding: 'rope factor=0.5 scaling=linear' }, /^factor: 0\.5 is outside 1/],
    [{ trained: -1 }, /^trained: -1 is outside/],
  ])('rejects %j with one sentence', async (input, sentence) => {
    const message = await refusal(kind as never, input);
    expect(message).toMatch(sentence);
    expect(message).not.toMatch(/\n/);
  });
});
