// Computes the losses and head scores of two training runs by step, and evaluates both models at one step.
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import { createOrderField, sentenceField, splitSentence } from '../../compute/sentence-fields.ts';
import type { CurveSource } from '../../compute/training-source.ts';
import { findFirstReadPosition, toSymbol } from '../../compute/word-symbols.ts';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import type { KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { type Ablation, type ModelView, measureAblation, measureModel } from './model.ts';
import { strings } from './strings.ts';

/** Encodings with a recorded training run (scripts/train/record-circuit.mjs). */
const RECORDED_ENCODINGS = ['none', 'rope', 'alibi', 'learned'];
/** Number of training steps at which the models are measured. A point is one of these steps. */
export const NUM_POINTS = 40;
const [LAYERS, HEADS] = [2, 4];
/** Maximum length of the text in tokens, equal to the length of a training sample. */
export const MAX_INPUT_TOKENS = 64;
/** A circuit exists if the best head of layer 2 has at least this prefix-matching score. */
const MIN_CIRCUIT_SCORE = 0.5;

export const fields = {
  text: { ...sentenceField, initial: 'to be or not to' },
  order: createOrderField(),
  encoding: encoding('rope', { ids: RECORDED_ENCODINGS }),
  other: encoding('none', { ids: RECORDED_ENCODINGS }),
  seed: count(1, 0, 2 ** 32 - 1),
  run: choice('recorded', 'live'),
  snapshot: count(NUM_POINTS - 1, 0, NUM_POINTS - 1),
  ablatedHead: count(0, 0, LAYERS * HEADS),
  ablatedModel: choice('first', 'second'),
  ablation: choice('zero', 'mean'),
};
export type Spec = SpecOf<typeof fields>;

interface SeedCurves {
  readonly loss: readonly number[];
  readonly previous: readonly number[];
  readonly matching: readonly number[];
}

export interface Results extends CurveSource {
  readonly steps: readonly number[];
  /**
   * Curves of both models, each [2, points]: the mean loss since the previous point, and the scores of the best heads
   * at each point. NaN until computed.
   */
  readonly loss: Tensor;
  readonly previous: Tensor;
  readonly matching: Tensor;
  /** The curves of the other recorded seeds, by model. Empty if an encoding parameter differs from the recording. */
  readonly seedCurves: readonly (readonly SeedCurves[])[];
  /** Whether the recording has results before the last step. True only for the default text. */
  readonly hasEarlierSteps: boolean;
  /** The recorded scores of each model at the last step: previous-token score and prefix-matching score. */
  readonly recordedScores: readonly (readonly [previous: number, matching: number])[];
  readonly configs: readonly ResolvedTrainConfig[];
  /** The words at the end of the text that fit into the models' input. `inputStart` is the index of the first one. */
  readonly inputWords: readonly string[];
  readonly inputStart: number;
  /** Empty if there are no trained models, and before both models have reached the first point. */
  readonly models: readonly ModelView[];
  readonly ablationEffect: Ablation | undefined;
  readonly hasModels: boolean;
  readonly isRunning: boolean;
  readonly canTrain: boolean;
  readonly hasOtherParams: boolean;
}

/** Creates a tensor [curves, points]. Incomplete curves are padded with NaN. */
export function createCurveTensor(curves: readonly (readonly number[])[]): Tensor {
  const data = new Float32Array(curves.length * NUM_POINTS).fill(Number.NaN);
  curves.forEach((curve, index) => void data.set(curve, index * NUM_POINTS));
  return { shape: [curves.length, NUM_POINTS], data };
}

/** Returns the index of the first point at which a model has a circuit, or undefined if there is none. */
export function findEmergencePoint({ matching }: Pick<Results, 'matching'>, line: number): number | undefined {
  const firstPoint = matching.data.subarray(line * NUM_POINTS, (line + 1) * NUM_POINTS).findIndex((score) => score >= MIN_CIRCUIT_SCORE);
  return firstPoint < 0 ? undefined : firstPoint;
}

/** Returns the index of the last point that both models have reached, or -1 if there is none. */
export const findLastCompletePoint = ({ loss }: Pick<Results, 'loss'>): number => {
  const point = Array.from({ length: NUM_POINTS }, (_, index) => index).findLast((index) =>
    [0, NUM_POINTS].every((curveStart) => Number.isFinite(loss.data[curveStart + index])),
  );
  return point ?? -1;
};

/**
 * Grants access to a trainer to one caller at a time, so that no caller measures a model while another caller has
 * removed one of its heads.
 */
export class ExclusiveTrainer {
  private lastTask: Promise<unknown> = Promise.resolve();
  constructor(private readonly trainer: Trainer) {}

  use<Result>(useTrainer: (trainer: Trainer) => Promise<Result>): Promise<Result> {
    const result = this.lastTask.then(() => useTrainer(this.trainer));
    this.lastTask = result.catch(() => {});
    return result;
  }
  dispose(): void {
    this.trainer.dispose();
  }
}

/** Evaluates both models with the weights that `prepareTrainer` loads, and measures the effect of removing a head. */
export async function evaluateModels(
  trainers: readonly ExclusiveTrainer[],
  step: number,
  tokens: readonly number[],
  { ablatedHead, ablatedModel, ablation }: Spec,
  { engine }: KindContext,
  prepareTrainer: (trainer: Trainer, line: number) => Promise<void> = async () => {},
): Promise<Pick<Results, 'models' | 'ablationEffect'>> {
  const models: ModelView[] = [];
  let ablationEffect: Ablation | undefined;
  for (const [line, exclusiveTrainer] of trainers.entries()) {
    const isAblated = ablatedHead > 0 && (ablatedModel === 'second') === (line === 1);
    await exclusiveTrainer.use(async (trainer) => {
      await prepareTrainer(trainer, line);
      models.push(await measureModel(trainer, step, tokens, engine));
      if (isAblated) ablationEffect = await measureAblation(trainer, ablatedHead - 1, ablation, tokens, engine);
    });
  }
  return { models, ablationEffect };
}

async function evaluateRecordedModels(spec: Spec, tokens: readonly number[], steps: number, context: KindContext) {
  const { models: loadModels, cache } = context;
  if (!loadModels) return { models: [], ablationEffect: undefined };
  const models = await loadModels();
  const trainers: ExclusiveTrainer[] = [];
  try {
    for (const { id } of [spec.encoding, spec.other]) {
      const loadTrainer = async (): Promise<ExclusiveTrainer> => new ExclusiveTrainer(await models.load(`induction-${id}`));
      trainers.push(
        await (cache
          ? cache.get(`model ${trainers.length}`, id, loadTrainer, (exclusiveTrainer) => exclusiveTrainer.dispose())
          : loadTrainer()),
      );
    }
    return await evaluateModels(trainers, steps, tokens, spec, context);
  } finally {
    if (!cache) for (const exclusiveTrainer of trainers) exclusiveTrainer.dispose();
  }
}

export async function computeCircuit(spec: Spec, context: KindContext): Promise<Results> {
  const { encoding: firstEncoding, other, seed, run } = spec;
  if (fields.encoding.print(firstEncoding) === fields.other.print(other)) throw new SpecError('other', strings.sameEncoding);
  for (const [field, { id }] of Object.entries({ encoding: firstEncoding, other })) {
    if (!RECORDED_ENCODINGS.includes(id)) throw new SpecError(field, `${field}: ${strings.encodingNotRecorded(id, RECORDED_ENCODINGS)}`);
  }
  const { words, order } = splitSentence(spec.text, spec.order);
  const placedWords = order.map((word) => words[word] as string);
  const firstReadIndex = findFirstReadPosition(placedWords, MAX_INPUT_TOKENS);
  const inputWords = placedWords.slice(firstReadIndex);
  const symbols = [...new Set(inputWords.map(toSymbol))];
  const tokens = inputWords.map((word) => symbols.indexOf(toSymbol(word)));
  const { command, createConfig, findRecordedLine, TRAIN_CONFIG, STEPS, findRecordedView } = await import('./recording.ts');
  const lines = [firstEncoding, other].map(({ id }) => findRecordedLine(id));
  const curves = lines.map((line) => line?.seeds[0] as SeedCurves);
  const configs = [firstEncoding, other].map((provided, line) =>
    createConfig({ ...lines[line]?.encoding, ...provided } as ResolvedTrainConfig['encoding'], seed),
  );
  const hasOtherParams = configs.some(({ encoding: ownEncoding }, line) => {
    const recordedParams: { readonly [name: string]: unknown } = lines[line]?.encoding ?? {};
    return Object.entries(ownEncoding).some(([name, value]) => value !== recordedParams[name]);
  });
  const initialResults: Results = {
    origin: run,
    command,
    seeds: [seed],
    total: TRAIN_CONFIG.steps,
    isHidden: false,
    isSequential: false,
    steps: STEPS,
    loss: createCurveTensor(curves.map(({ loss }) => loss)),
    previous: createCurveTensor(curves.map(({ previous }) => previous)),
    matching: createCurveTensor(curves.map(({ matching }) => matching)),
    seedCurves: hasOtherParams ? [] : lines.map(({ seeds }) => seeds.filter((_, seedIndex) => seedIndex + 1 !== seed)),
    hasEarlierSteps: placedWords.join(' ') === fields.text.initial,
    recordedScores: curves.map(({ previous, matching }) => [previous.at(-1) ?? Number.NaN, matching.at(-1) ?? Number.NaN]),
    configs,
    inputWords,
    inputStart: firstReadIndex,
    models: [],
    ablationEffect: undefined,
    hasModels: context.models !== undefined,
    isRunning: false,
    canTrain: context.createTrainer !== undefined,
    hasOtherParams,
  };
  if (run === 'live') return (await import('./live.ts')).trainCircuit(spec, initialResults, tokens, context);
  if (seed !== 1) throw new SpecError('seed', `seed: ${strings.seedNotRecorded(seed)}`);
  if (initialResults.hasEarlierSteps && spec.snapshot < NUM_POINTS - 1) {
    if (spec.ablatedHead > 0) throw new SpecError('ablatedHead', `ablatedHead: ${strings.noEarlierWeights}`);
    return { ...initialResults, models: [firstEncoding, other].flatMap(({ id }) => findRecordedView(id, spec.snapshot) ?? []) };
  }
  return { ...initialResults, ...(await evaluateRecordedModels(spec, tokens, TRAIN_CONFIG.steps, context)) };
}
