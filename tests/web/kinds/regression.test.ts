// The regression figure: an image learned from coordinates, recorded or trained live by the real trainer.

import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, type Trainer } from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import { findLatestRatio, type Results } from '../../../web/figure/kinds/regression/compute.ts';
import { kind } from '../../../web/figure/kinds/regression/index.ts';
import { classifyPixel, hasOutput, PIXEL_COUNT, SIDE } from '../../../web/figure/kinds/regression/pixels.ts';
import { getRecording } from '../../../web/figure/kinds/regression/recording.ts';
import { Pace } from '../../../web/figure/runtime/pace.ts';
import { runPython } from '../python/run.ts';
import { photographs } from './photographs.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

async function trainFigure(fields: object, options: object = {}) {
  const spec = readSpec(kind as never, { run: 'live', ...fields });
  const partialResults: Results[] = [];
  const partial = (results: object): void => void partialResults.push(results as Results);
  const results = await kind.compute(
    spec as never,
    { engine: phasor, photographs, createTrainer: createTrainerWorker, partial, ...options } as never,
  );
  return { results, partialResults, spec };
}

/** An image whose left half is black and right half white. */
const createHalvesImage = () => ({
  shape: [SIDE, SIDE, 3],
  data: Float32Array.from({ length: 3 * PIXEL_COUNT }, (_, index) => (Math.floor(index / 3) % SIDE < SIDE / 2 ? 0 : 1)),
});

describe('regression figure', () => {
  it('shows that the recorded output is blurred, sharp or noisy depending on sigma', async () => {
    const [smallSigma, middleSigma, largeSigma] = await Promise.all([0.25, 2, 16].map((sigma) => figureOf(kind, { sigma })));
    const between = [smallSigma, middleSigma, largeSigma].map((figure) => findLatestRatio(figure?.results, 3));
    const latestRatio = findLatestRatio(smallSigma?.results, 1);
    expect(between[1]).toBeGreaterThan((between[0] as number) + 1);
    expect(between[1]).toBeGreaterThan(latestRatio + 2);
    expect(between[2]).toBeLessThan(latestRatio - 2);
    expect(findLatestRatio(largeSigma?.results, 2)).toBeGreaterThan(findLatestRatio(smallSigma?.results, 2) + 20);
    expect(middleSigma?.scene().picture.description).toMatch(/Recorded, one seed \(1\)$/);
    expect(middleSigma?.readout()).toMatch(/^Coordinates alone: 1\d\.\d dB at .*\. Fourier features, σ = 2: /);
    for (const figure of [smallSigma, middleSigma, largeSigma]) expect(figure?.proof()).toMatchObject({ good: true });
  });

  it('fails its proof if an output does not match its measured ratios', async () => {
    const { results, spec } = await figureOf(kind, {});
    const changedResults = { ...results, featuresOutput: results.plainOutput };
    const { residual, tolerance } = kind.proof(changedResults, spec as never);
    expect(residual).toBeGreaterThan(tolerance);
  });

  it('shows the nearest recorded sigma and its value', async () => {
    const figure = await figureOf(kind, { sigma: 3.5 });
    expect(figure.results.sigma).toBe(4);
    expect(JSON.stringify(figure.scene().picture.marks)).toContain('σ = 4');
    expect(kind.choose?.(figure.results, figure.spec as never, { sigma: 0 })).toEqual({ sigma: 0.25 });
  });

  it('has a recording with the configs of the trainer', async () => {
    const { trainConfigs } = getRecording(8);
    const image = createHalvesImage();
    for (const [line, encoding] of (['none', { id: 'fourier', features: 64, extent: 1, sigma: 8 }] as const).entries()) {
      const trainer = await createTrainer({ task: 'image', image, encoding, seed: 1 });
      expect(trainConfigs[line]).toEqual(trainer.config);
      trainer.dispose();
    }
  });

  it('trains on a quarter of the pixels and tests on another quarter', () => {
    const uses = Array.from({ length: PIXEL_COUNT }, (_, pixel) => classifyPixel(pixel));
    for (const use of ['trained', 'between'] as const) expect(uses.filter((value) => value === use).length).toBe(PIXEL_COUNT / 4);
    expect([uses[0], uses[1], uses[SIDE], uses[SIDE + 1]]).toEqual(['trained', 'other', 'other', 'between']);
  });

  it.each([{}, { sigma: 16 }])('responds to the pointer and arrow keys (case %#)', async (input) => {
    const figure = await figureOf(kind, input);
    expectAnswering(figure.scene(), 700);
    expectAnswering(figure.scene(330), 330);
    expect(figure.readout({ pixel: 65 })).toMatch(/^Row 2, column 2, a test pixel: image .*features red/);
    expect(figure.readout({ sigma: 3 })).toMatch(/^σ = 2: /);
  });

  it('draws partial results of live training with the measured ratios', async () => {
    const { results, partialResults, spec } = await trainFigure({ sigma: 2 });
    expect(results.origin).toBe('live');
    expect(findLatestRatio(results, 2)).toBeGreaterThan(findLatestRatio(results, 0) + 5);
    expect(findLatestRatio(results, 3)).toBeGreaterThan(findLatestRatio(results, 1) + 1);
    const { residual, tolerance } = kind.proof(results, spec as never);
    expect(residual).toBeLessThanOrEqual(tolerance);
    expect(results.isRunning).toBe(false);
    expect(partialResults.length).toBeGreaterThan(20);
    expect(hasOutput((partialResults[0] as Results).featuresOutput)).toBe(false);
    for (const partial of [partialResults[0], partialResults[9], partialResults.at(-1)] as Results[]) {
      const { picture } = kind.scene(partial, spec as never, { width: 600, theme: 'light' });
      expect(JSON.stringify(picture.marks)).not.toMatch(/NaN|null/);
      expect(picture.description).toMatch(/Live, trained here, one seed \(1\): step \d+ of \d+/);
    }
    // Line names are not truncated on phones.
    for (const width of [312, 342, 600]) {
      const { picture } = kind.scene(results, spec as never, { width, theme: 'light' });
      const truncatedLabels = picture.marks.filter((mark) => mark.kind === 'text' && mark.text.endsWith('…'));
      expect(truncatedLabels, `${width} px`).toEqual([]);
    }
  });

  it('trains on an image of the user, stops on request, and disposes of its workers', async () => {
    const pace = new Pace();
    const created: Trainer[] = [];
    const countTrainer = async (spec: never) => {
      created.push(await createTrainerWorker(spec));
      return created.at(-1) as Trainer;
    };
    const acceptedFields = kind.accept?.({ name: 'own.npy', tensors: { data: { ...createHalvesImage(), shape: [PIXEL_COUNT, 3] } } });
    const progress = (share: number): void => {
      if (share > 0.2) pace.stop();
    };
    const { results } = await trainFigure({ ...acceptedFields, run: 'recorded' }, { createTrainer: countTrainer, pace, progress });
    expect(results.isUserImage).toBe(true);
    expect(results.target.data).toEqual(createHalvesImage().data);
    expect(kind.actions?.(results, { seed: 1 } as never)?.map(({ label }) => label)).toEqual(['Halve σ', 'Double σ', 'Use another seed']);
    expect(created.length).toBeGreaterThan(2);
    expect(created.every(({ disposed }) => disposed)).toBe(true);
  });

  it('exports a training program with the same ratios', async () => {
    const figure = await figureOf(kind, { sigma: 4 });
    const { phasor: program, python, data: files } = await figure.code();
    expect(python).toContain('# Recorded, one seed (1): npm run record -- regression');
    const shortProgram = program.replace(/^import .*\n/, '').replaceAll(/point < 20|\[4, 20\]/g, (text) => text.replace('20', '2'));
    const fetched = async () => new Response(new Float32Array(figure.results.target.data).buffer);
    const body = `return (async () => { ${shortProgram}\nreturn decibels; })();`;
    const { shape, data } = await new Function('createTrainer', 'fetch', body)(createTrainer, fetched);
    expect(shape).toEqual([4, 2]);
    for (const [line, first] of [0, 2, 4, 6].entries()) expect(data[first]).toBeCloseTo(figure.results.decibels.data[20 * line], 0);
    expect(python).toMatch(/^decibels = /m);
    const [ratios] = runPython([{ program: python, files, want: ['ratios'] }]);
    // Recorded images have 8 bits per channel.
    for (const line of [0, 1, 2, 3]) {
      const ratio = ratios?.arrays.ratios?.data[line] as number;
      expect(Math.abs(ratio - findLatestRatio(figure.results, line))).toBeLessThan(0.1);
    }
    expect(python).toContain('python image_network.py --sigma 4 --seed 1');
  });

  it.each([
    [{ seed: 7 }, /^seed: only seed 1 was recorded/],
    [{ run: 'live' }, /^run: live: training is unavailable on this page/],
    [{ image: createHalvesImage() }, /^image: your own image requires training/],
    [{ image: { shape: [1, 1, 3], data: new Float32Array(3) } }, /image: has shape 1 × 1 × 3; expected 64 × 64 × 3 values/],
    [
      { image: { ...createHalvesImage(), data: createHalvesImage().data.map((shade) => 255 * shade) } },
      /image: has values out of range; expected 0 to 1/,
    ],
  ])('rejects invalid fields with one sentence (case %#)', async (acceptedFields, sentence) => {
    await expect(figureOf(kind, acceptedFields)).rejects.toThrow(sentence);
  });
});
