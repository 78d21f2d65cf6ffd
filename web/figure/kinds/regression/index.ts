import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { choice, count, encodingSpec, FieldError, number, type SpecOf, tensor } from '../../contract/fields.ts';
import { type Cursor, defineKind, type KindContext, type Proof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { createFileInput } from '../../files/drop.ts';
import { IMAGE_FILES } from '../../files/image.ts';
import { SHADE_COUNT } from '../../runtime/photographs.ts';
import { findLastCompleteStep, findLatestRatio, LINES, type Results } from './compute.ts';
import { classifyPixel, computeDecibels, hasOutput, PIXEL_COUNT, SIDE, toPixelTensor } from './pixels.ts';
import { regressionScene } from './scene.ts';
import { strings } from './strings.ts';

const FEATURE_COUNT = 64;
const SIGMA_RANGE = [0.25, 32] as const;
/** Tolerance in decibels. Recorded images are rounded to 256 shades, live images only to float32. */
const TOLERANCE = { recorded: 0.3, live: 0.001 } as const;

const fields = {
  sigma: number(4, ...SIGMA_RANGE, { logarithmic: true }),
  seed: count(1, 0, 2 ** 32 - 1),
  image: tensor(({ shape, data }) => {
    if (String(shape) !== String([SIDE, SIDE, 3])) throw new FieldError(strings.wrongShape(shape.join(' × '), SIDE));
    if (!data.every((shade) => shade >= 0 && shade <= 1)) throw new FieldError(strings.shadeOutOfRange);
  }),
  run: choice('recorded', 'live'),
};
export type Spec = SpecOf<typeof fields>;

async function trainLive(spec: Spec, context: KindContext, initialResults: Results): Promise<Results> {
  const { createTrainer, engine, signal, pace, progress, partial } = context;
  if (!createTrainer)
    throw spec.image
      ? new SpecError('image', `image: ${strings.userImageCannotTrain}`)
      : new SpecError('run', `run: ${strings.cannotTrain}`);
  const { trainNetworks } = await import('./live.ts');
  const createResults = (
    {
      steps,
      decibels,
      plain: plainOutput,
      features: featuresOutput,
      totalSteps,
      estimatedSeconds,
      isHidden,
      isSequential,
    }: Awaited<ReturnType<typeof trainNetworks>>,
    isRunning: boolean,
  ): Results => ({
    ...initialResults,
    ...{ steps, decibels, plainOutput, featuresOutput, total: totalSteps, estimatedSeconds, isHidden, isSequential, isRunning },
    trainConfigs: initialResults.trainConfigs.map((config) => ({ ...config, steps: totalSteps })),
  });
  const finalState = await trainNetworks({
    specs: initialResults.trainConfigs,
    target: initialResults.target,
    seed: spec.seed,
    steps: initialResults.total,
    engine,
    createTrainer,
    context: { signal, pace },
    reportProgress: (share) => progress?.(share),
    onStateChange: (state) => partial?.(createResults(state, true)),
  });
  return createResults(finalState, false);
}

const formatRatio = (value: number): string => formatNumber(value, { digits: 3 });

/** Formats a network's ratios at the trained and at the test pixels: rows `first` and `first + 1` of `decibels`. */
function formatRatios({ decibels, steps }: Results, first: number, point: number): string {
  const ratioAt = (line: number): string => formatRatio(entryAt(decibels.data, line * steps.length + point));
  return strings.ratioPair(ratioAt(first), ratioAt(first + 1));
}

const sigmaHeaders = (name: string, sigmas: readonly number[]) => ({
  title: strings.tables[name as 'bySigma' | 'low' | 'high'],
  rowTitle: strings.sigmaAxis,
  columnTitle: strings.ratioTitle,
  rows: sigmas.map(String),
  columns: [strings.curves.trained, strings.curves.test],
});

/** Whether the networks are trained on this page, which a user-provided image requires. */
const shouldTrain = ({ image, run }: Spec): boolean => image !== undefined || run === 'live';

export const kind = defineKind({
  id: 'regression',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: strings.labels,
  help: strings.help,
  unlinkedFields: ['seed'],
  trainable: (spec) => (shouldTrain(spec) ? import('../../surface/paced.ts') : undefined),
  aspect: 0.62,
  files: createFileInput([...IMAGE_FILES, '.npy']),
  accept({ tensors }) {
    const { data: image } = tensors ?? {};
    if (!image) return undefined;
    // Images exported by this figure have the shape [PIXELS, 3].
    const isPixelList = String(image.shape) === String([PIXEL_COUNT, 3]);
    return { image: isPixelList ? { ...image, shape: [SIDE, SIDE, 3] } : image, run: 'live' as const };
  },
  async compute(spec, context): Promise<Results> {
    const isUserImage = spec.image !== undefined;
    const isLive = shouldTrain(spec);
    if (!isLive && spec.seed !== 1) throw new SpecError('seed', `seed: ${strings.notRecorded}`);
    const { findNearestSigma, getRecording } = await import('./recording.ts');
    const sigma = isLive ? spec.sigma : findNearestSigma(spec.sigma);
    const recording = getRecording(findNearestSigma(sigma));
    const shades =
      spec.image?.data ?? Float32Array.from(await context.photographs.shades('astronaut'), (shade) => shade / (SHADE_COUNT - 1));
    const trainConfigs = recording.trainConfigs.map((config, network) => ({
      ...config,
      seed: spec.seed,
      ...(network === 1 ? { encoding: encodingSpec('fourier', { ...config.encoding, features: FEATURE_COUNT, extent: 1, sigma }) } : {}),
    }));
    const startResults: Results = {
      ...recording,
      origin: isLive ? 'live' : 'recorded',
      target: toPixelTensor(shades),
      sigma,
      trainConfigs,
      seeds: [spec.seed],
      isUserImage,
      isRunning: false,
      isHidden: false,
      isSequential: false,
      canTrain: context.createTrainer !== undefined,
    };
    return isLive ? trainLive(spec, context, startResults) : startResults;
  },
  scene: (results, _, frame) => regressionScene(results, frame),
  resolvedFields: ({ sigma }) => ({ sigma }),
  actions({ origin, canTrain, isRunning, isUserImage, sigma }, { seed }) {
    const [minSigma, maxSigma] = [SIGMA_RANGE[0], SIGMA_RANGE[1]];
    const scale = [
      { label: strings.halveSigma, keys: ['-'], fields: () => ({ sigma: Math.max(minSigma, sigma / 2) }), disabled: sigma <= minSigma },
      { label: strings.doubleSigma, keys: ['+'], fields: () => ({ sigma: Math.min(maxSigma, 2 * sigma) }), disabled: sigma >= maxSigma },
    ];
    if (!canTrain || isRunning) return scale;
    if (origin === 'recorded') return [...scale, { label: strings.train, keys: ['t'], fields: () => ({ run: 'live' }) }];
    const nextSeedAction = { label: strings.again, keys: ['t'], fields: () => ({ seed: seed + 1 }) };
    return [...scale, nextSeedAction, ...(isUserImage ? [] : [{ label: strings.recording, fields: () => ({ run: 'recorded', seed: 1 }) }])];
  },
  choose({ origin, sigmas }, _, { sigma }) {
    return origin === 'recorded' && isIndex(sigma, sigmas.length) ? { sigma: sigmas[sigma] } : undefined;
  },
  readout(results, _, { pixel, sigma, step }: Cursor) {
    const { target, plainOutput, featuresOutput, steps, sigmas, ratiosBySigma, origin } = results;
    if (isIndex(pixel, PIXEL_COUNT)) {
      const rgbText = ({ data }: typeof target): string => {
        const [red, green, blue] = [0, 1, 2].map((channel) => formatNumber(entryAt(data, 3 * pixel + channel), { digits: 2 }));
        return strings.formatRgb(red as string, green as string, blue as string);
      };
      const outputColors = [plainOutput, featuresOutput].every(hasOutput)
        ? strings.pixelColours(rgbText(target), rgbText(plainOutput), rgbText(featuresOutput))
        : rgbText(target);
      return strings.pixelReadout(Math.floor(pixel / SIDE) + 1, (pixel % SIDE) + 1, classifyPixel(pixel), outputColors);
    }
    if (origin === 'recorded' && isIndex(sigma, sigmas.length)) {
      const [trainedRatio, testRatio] = [2 * sigma, 2 * sigma + 1].map((index) => formatRatio(entryAt(ratiosBySigma.data, index)));
      return strings.sigmaReadout(String(sigmas[sigma]), strings.ratioPair(trainedRatio as string, testRatio as string));
    }
    const point = origin === 'live' && isIndex(step, steps.length) ? step : steps.indexOf(findLastCompleteStep(results));
    if (point < 0 || LINES.some((_, line) => !Number.isFinite(results.decibels.data[line * steps.length + point])))
      return strings.nothingMeasured;
    const [plainRatios, featureRatios] = [formatRatios(results, 0, point), formatRatios(results, 2, point)];
    return isIndex(step, steps.length) && origin === 'live'
      ? strings.stepReadout(entryAt(steps, point), plainRatios, featureRatios)
      : strings.finalReadout(String(results.sigma), plainRatios, featureRatios);
  },
  proof(results): Proof {
    const { plainOutput, featuresOutput, target, origin } = results;
    const deviations = [plainOutput, featuresOutput].flatMap((image, network) =>
      (['trained', 'between'] as const).map((use, index) => {
        const deviation = computeDecibels(image, target, use) - findLatestRatio(results, 2 * network + index);
        return Number.isFinite(deviation) ? Math.abs(deviation) : 100;
      }),
    );
    const residual = Math.max(...deviations);
    const tolerance = TOLERANCE[origin];
    const { quantity, passes, fails } = strings.proof;
    return { quantity, residual, tolerance, toleranceSource: strings.proof[origin], conclusion: residual <= tolerance ? passes : fails };
  },
  verdicts: strings.verdicts,
  tables({ steps, decibels, sigmas, ratiosBySigma, plainRatios, low, high, target, plainOutput, featuresOutput, origin }) {
    const { tables } = strings;
    const colorHeaders = { rowTitle: strings.pixelTitle, columnTitle: '', columns: strings.channelNames };
    return [
      {
        name: 'decibels',
        title: tables.decibels,
        tensor: decibels,
        rowTitle: strings.lineTitle,
        columnTitle: strings.stepAxis,
        rows: strings.lineNames,
        columns: steps.map(String),
      },
      ...(origin === 'recorded'
        ? [
            ...Object.entries({ bySigma: ratiosBySigma, low, high }).map(([name, tensor]) => ({
              name,
              tensor,
              ...sigmaHeaders(name, sigmas),
            })),
            {
              name: 'alone',
              title: tables.alone,
              tensor: plainRatios,
              rowTitle: strings.ratioTitle,
              columnTitle: strings.decibelsAxis,
              rows: [strings.curves.trained, strings.curves.test],
            },
          ]
        : []),
      { name: 'target', title: tables.target, tensor: target, ...colorHeaders },
      { name: 'plain', title: tables.plain, tensor: plainOutput, ...colorHeaders },
      { name: 'features', title: tables.features, tensor: featuresOutput, ...colorHeaders },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
