// Trains a causal model on this page (runtime/train-lines.ts) and probes it at intervals over all positions of a text.
// After training, the model is also probed on shorter texts. Causal hidden states do not depend on later tokens, so
// these errors are the same as those over the first tokens of a long text.
import type { TrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { countWorkers, trainLines } from '../../runtime/train-lines.ts';

const PROBE_COUNT = 4;
/** Approximate limit on the training time, in seconds. */
const MAX_SECONDS = 20;

export interface LiveState {
  readonly totalSteps: number;
  /** Estimated total time in seconds, including probes. Undefined until the first probe has been timed. */
  readonly estimatedSeconds: number | undefined;
  readonly probedStep: number;
  /** [model][layer]: errors of the trained, the untrained and the unmasked model, in this order. */
  readonly errors: readonly (readonly number[])[];
  /** [length][layer]: errors of the trained model on texts of each length. */
  readonly errorsByLength: readonly (readonly number[])[];
  readonly isHidden: boolean;
}

export interface ProbeOptions {
  readonly corpus: string;
  readonly seed: number;
  readonly steps: number;
  readonly lengths: readonly number[];
  readonly createTrainer: (spec: TrainConfig) => Promise<Trainer>;
  readonly context: Pick<KindContext, 'signal' | 'pace'>;
  reportProgress(fraction: number): void;
  onStateChange(state: LiveState): void;
}

async function measureErrors(trainer: Trainer): Promise<number[]> {
  const { metrics } = await trainer.evaluate({ numSamples: 1 });
  return Array.from({ length: trainer.config.layers + 1 }, (_, layer) => metrics[`probe_error_layer_${layer}`] ?? Number.NaN);
}

class TaskQueue {
  pendingCount = 0;
  /** Rejects with the first error. The tasks after it are skipped. */
  finished: Promise<void> = Promise.resolve();

  add(work: () => Promise<void>): void {
    this.pendingCount += 1;
    this.finished = this.finished.then(work).then(() => {
      this.pendingCount -= 1;
    });
    // Prevents an unhandled rejection. Callers that await `finished` still receive the error.
    this.finished.catch(() => {});
  }
}

/**
 * Trains a model and probes its weights in a separate worker, because probing takes a third of the training time. If
 * only one worker may run, training and probing alternate.
 * @returns the results when training ends or the user stops it
 */
export async function trainAndProbe(options: ProbeOptions): Promise<LiveState> {
  const { corpus, seed, steps: maxSteps, lengths, createTrainer, context, reportProgress, onStateChange } = options;
  const { signal, pace } = context;
  const commonConfig = { task: 'probe', corpus, seed } as const;
  const errors: number[][] = [[], [], []];
  const errorsByLength: number[][] = lengths.map(() => []);
  let state: Pick<LiveState, 'totalSteps' | 'estimatedSeconds' | 'probedStep' | 'isHidden'> = {
    totalSteps: maxSteps,
    estimatedSeconds: undefined,
    probedStep: 0,
    isHidden: false,
  };
  let latestCheckpoint: { readonly weights: Uint8Array<ArrayBuffer>; readonly step: number } | undefined;
  let requestedCheckpoint: typeof latestCheckpoint;
  const currentState = (): LiveState => ({ ...state, errors: [...errors], errorsByLength: [...errorsByLength] });
  const notify = (): void => onStateChange(currentState());
  const openTrainers = new Set<Trainer>();
  const disposeTrainer = (trainer: Trainer): void => {
    openTrainers.delete(trainer);
    trainer.dispose();
  };
  const disposeAll = (): void => [...openTrainers].forEach(disposeTrainer);
  const createTrackedTrainer = async (spec: TrainConfig): Promise<Trainer> => {
    const trainer = await createTrainer(spec);
    openTrainers.add(trainer);
    if (signal?.aborted) disposeAll();
    return trainer;
  };
  const probeTemporaryModel = async (spec: TrainConfig, weights?: Uint8Array<ArrayBuffer>): Promise<number[]> => {
    const trainer = await createTrackedTrainer(spec);
    try {
      if (weights) await trainer.loadWeights(weights);
      return await measureErrors(trainer);
    } finally {
      disposeTrainer(trainer);
    }
  };
  const queue = new TaskQueue();
  const isSingleWorker = countWorkers(2) === 1;
  let probeModel: Trainer | undefined;
  let probeSeconds: number | undefined; // s
  const requestProbe = (): void => {
    if (!latestCheckpoint || requestedCheckpoint === latestCheckpoint) return;
    const { weights, step } = latestCheckpoint;
    requestedCheckpoint = latestCheckpoint;
    queue.add(async () => {
      await probeModel?.loadWeights(weights);
      errors[0] = await measureErrors(probeModel as Trainer);
      state = { ...state, probedStep: step };
      notify();
    });
  };
  signal?.addEventListener('abort', disposeAll, { once: true });
  notify();
  try {
    queue.add(async () => {
      probeModel = await createTrackedTrainer({ ...commonConfig, causal: true });
      const startTime = performance.now();
      errors[1] = await measureErrors(probeModel);
      probeSeconds = (performance.now() - startTime) / 1000;
      notify();
    });
    queue.add(async () => {
      errors[2] = await probeTemporaryModel({ ...commonConfig, causal: false });
      notify();
    });
    if (isSingleWorker) await queue.finished;
    await trainLines({
      configs: [{ ...commonConfig, causal: true }],
      seeds: [seed],
      maxSteps,
      maxSeconds: MAX_SECONDS,
      pointCount: PROBE_COUNT,
      createTrainer,
      context,
      async measure({ trainer }) {
        latestCheckpoint = { weights: await trainer.saveWeights(), step: trainer.globalStep };
        // Skips this probe if earlier ones are still pending.
        if (queue.pendingCount === 0) requestProbe();
        if (isSingleWorker) await queue.finished;
      },
      reportProgress,
      onStateChange({ totalSteps, estimatedSeconds, isHidden }) {
        // Adds the time after training, when the model is probed once per length.
        state = {
          ...state,
          totalSteps,
          estimatedSeconds: probeSeconds === undefined ? undefined : estimatedSeconds + lengths.length * probeSeconds,
          isHidden,
        };
        notify();
      },
    });
    requestProbe();
    await queue.finished;
    errorsByLength[lengths.length - 1] = errors[0] ?? [];
    for (const [lengthIndex, length] of lengths.slice(0, -1).entries()) {
      if (signal?.aborted || pace?.isStopped.peek() || !latestCheckpoint) break;
      errorsByLength[lengthIndex] = await probeTemporaryModel(
        { ...commonConfig, causal: true, sequenceLength: length },
        latestCheckpoint.weights,
      );
      notify();
    }
    return currentState();
  } finally {
    signal?.removeEventListener('abort', disposeAll);
    disposeAll();
  }
}
