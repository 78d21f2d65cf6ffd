// Trains both networks on this page (runtime/train-lines.ts) and renders an output image at each point of their curves.
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig, TrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { Engine, KindContext } from '../../contract/kind.ts';
import { type LinesState, trainLines } from '../../runtime/train-lines.ts';
import { LINES } from './compute.ts';
import { computeInputs, type Inputs, renderImage } from './network.ts';
import { createBlankImage, SIDE } from './pixels.ts';

/** Number of points per curve. An output image is rendered at each point. */
const POINT_COUNT = 20;
/** Approximate limit on the training time, in seconds. */
const MAX_SECONDS = 30;

export interface LiveState extends LinesState {
  readonly steps: readonly number[];
  readonly decibels: Tensor;
  readonly plain: Tensor;
  readonly features: Tensor;
}

export interface TrainNetworksOptions {
  /** Configs of the coordinates-only network and of the feature network, in this order. */
  readonly specs: readonly ResolvedTrainConfig[];
  /** [pixels, 3]. */
  readonly target: Tensor;
  readonly seed: number;
  readonly steps: number;
  readonly engine: Engine;
  readonly createTrainer: (spec: TrainConfig) => Promise<Trainer>;
  readonly context: Pick<KindContext, 'signal' | 'pace'>;
  reportProgress(share: number): void;
  onStateChange(state: LiveState): void;
}

/** @returns the results when training ends or the user stops it */
export async function trainNetworks({
  specs,
  target,
  seed,
  steps: maxSteps,
  engine,
  onStateChange,
  ...options
}: TrainNetworksOptions): Promise<LiveState> {
  const image = { shape: [SIDE, SIDE, 3], data: target.data };
  const outputImages = [createBlankImage(), createBlankImage()];
  const inputs = await Promise.all(
    specs.map(({ encoding }): Promise<Inputs> => computeInputs(encoding as TrainConfig['encoding'] as never, engine)),
  );
  const ratios = new Float32Array(LINES.length * POINT_COUNT).fill(Number.NaN);
  const addImages = (state: LinesState): LiveState => ({
    ...state,
    steps: Array.from({ length: POINT_COUNT }, (_, point) => (point + 1) * state.stepsPerPoint),
    decibels: { shape: [LINES.length, POINT_COUNT], data: ratios.slice() },
    plain: outputImages[0] as Tensor,
    features: outputImages[1] as Tensor,
  });
  const finalState = await trainLines({
    ...options,
    configs: specs.map(({ encoding }) => ({ task: 'image', image, encoding: encoding as TrainConfig['encoding'] })),
    seeds: [seed],
    maxSteps,
    maxSeconds: MAX_SECONDS,
    pointCount: POINT_COUNT,
    async measure({ trainer, line, point }) {
      const { lengths, metrics } = await trainer.evaluate();
      ratios[2 * line * POINT_COUNT + point] = metrics.train_decibels ?? Number.NaN;
      ratios[(2 * line + 1) * POINT_COUNT + point] = lengths[0]?.score ?? Number.NaN;
      outputImages[line] = await renderImage(await trainer.weights(), inputs[line] as Inputs, engine);
    },
    onStateChange: (state) => onStateChange(addImages(state)),
  });
  return addImages(finalState);
}
