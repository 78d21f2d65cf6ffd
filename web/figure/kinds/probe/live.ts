// A causal model learns a text here (runtime/train-lines.ts) and is probed as it goes: by itself among all tokens of a text, and at the end by models of
// shorter texts that have its weights. The hidden states of causal layers do not depend on later tokens, so they equal those among the first tokens.
import type { TrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import { trainLines, workerCount } from '../../runtime/train-lines.ts';

/** How often the model is probed while it learns. */
const POINTS = 4;
/** Training may take about so long, s. */
const SECONDS = 20;

export interface LiveState {
  readonly total: number;
  /** How long all of it takes on this device with its probes, s; undefined while that is not known. */
  readonly seconds: number | undefined;
  readonly done: number;
  /** [model][layer]: trained, untrained, unmasked. */
  readonly errors: readonly (readonly number[])[];
  /** [length][layer] */
  readonly byLength: readonly (readonly number[])[];
  readonly isHidden: boolean;
}

export interface ProbeOptions {
  readonly corpus: string;
  readonly seed: number;
  readonly steps: number;
  readonly lengths: readonly number[];
  readonly createTrainer: (spec: TrainConfig) => Promise<Trainer>;
  readonly means: Pick<KindContext, 'signal' | 'pace'>;
  progress(share: number): void;
  changed(state: LiveState): void;
}

/** The error of each layer. */
async function probed(trainer: Trainer): Promise<number[]> {
  const { metrics } = await trainer.evaluate({ numSamples: 1 });
  return Array.from({ length: trainer.config.layers + 1 }, (_, layer) => metrics[`probe_error_layer_${layer}`] ?? Number.NaN);
}

/** Work in its order, one at a time, beside whatever else goes on. */
class Queue {
  /** How much of it has not ended. */
  waiting = 0;
  /** Rejects with what the first work that failed has thrown; nothing is done after that. */
  ended: Promise<void> = Promise.resolve();

  add(work: () => Promise<void>): void {
    this.waiting += 1;
    this.ended = this.ended.then(work).then(() => {
      this.waiting -= 1;
    });
    // Those who wait for the end hear of it.
    this.ended.catch(() => {});
  }
}

/**
 * Probes take as long as a third of the training, so they are made by a second model, in a worker of its own, with the weights of the one that learns: a
 * device of one core, or a phone, does one after the other.
 * @returns what there is at the end, or where the reader stopped it
 */
export async function probe(options: ProbeOptions): Promise<LiveState> {
  const { corpus, seed, steps, lengths, createTrainer, means, progress, changed } = options;
  const { signal, pace } = means;
  const base = { task: 'probe', corpus, seed } as const;
  const errors: number[][] = [[], [], []];
  const byLength: number[][] = lengths.map(() => []);
  let state: Pick<LiveState, 'total' | 'seconds' | 'done' | 'isHidden'> = { total: steps, seconds: undefined, done: 0, isHidden: false };
  /** What the model has learned by its latest point, and by which it was probed last. */
  let latest: { readonly weights: Uint8Array<ArrayBuffer>; readonly step: number } | undefined;
  let asked: typeof latest;
  const now = (): LiveState => ({ ...state, errors: [...errors], byLength: [...byLength] });
  const tell = (): void => changed(now());
  const open = new Set<Trainer>();
  const close = (trainer: Trainer): void => {
    open.delete(trainer);
    trainer.dispose();
  };
  const closeAll = (): void => [...open].forEach(close);
  const model = async (spec: TrainConfig): Promise<Trainer> => {
    const trainer = await createTrainer(spec);
    open.add(trainer);
    if (signal?.aborted) closeAll();
    return trainer;
  };
  /** Of one that is made for it, and ends with it. */
  const errorsOf = async (spec: TrainConfig, own?: Uint8Array<ArrayBuffer>): Promise<number[]> => {
    const trainer = await model(spec);
    try {
      if (own) await trainer.loadWeights(own);
      return await probed(trainer);
    } finally {
      close(trainer);
    }
  };
  const queue = new Queue();
  const isAlone = workerCount(2) === 1;
  let reader: Trainer | undefined;
  let ofProbe: number | undefined; // s
  const probeLatest = (): void => {
    if (!latest || asked === latest) return;
    const { weights, step } = latest;
    asked = latest;
    queue.add(async () => {
      await reader?.loadWeights(weights);
      errors[0] = await probed(reader as Trainer);
      state = { ...state, done: step };
      tell();
    });
  };
  signal?.addEventListener('abort', closeAll, { once: true });
  tell();
  try {
    queue.add(async () => {
      reader = await model({ ...base, causal: true });
      const began = performance.now();
      errors[1] = await probed(reader);
      ofProbe = (performance.now() - began) / 1000;
      tell();
    });
    queue.add(async () => {
      errors[2] = await errorsOf({ ...base, causal: false });
      tell();
    });
    if (isAlone) await queue.ended;
    await trainLines({
      specs: [{ ...base, causal: true }],
      seeds: [seed],
      steps,
      seconds: SECONDS,
      points: POINTS,
      createTrainer,
      means,
      async measure({ trainer }) {
        latest = { weights: await trainer.saveWeights(), step: trainer.globalStep };
        // Where probes are slower than steps, those on the way are left out.
        if (queue.waiting === 0) probeLatest();
        if (isAlone) await queue.ended;
      },
      progress,
      changed({ total, seconds, isHidden }) {
        // The last of the training, and those of shorter texts, come after it.
        state = { ...state, total, seconds: ofProbe === undefined ? undefined : seconds + lengths.length * ofProbe, isHidden };
        tell();
      },
    });
    probeLatest();
    await queue.ended;
    byLength[lengths.length - 1] = errors[0] ?? [];
    for (const [at, length] of lengths.slice(0, -1).entries()) {
      if (signal?.aborted || pace?.isStopped.peek() || !latest) break;
      byLength[at] = await errorsOf({ ...base, causal: true, sequenceLength: length }, latest.weights);
      tell();
    }
    return now();
  } finally {
    signal?.removeEventListener('abort', closeAll);
    closeAll();
  }
}
