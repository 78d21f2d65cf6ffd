// A causal model learns a text here (runtime/train-lines.ts) and is probed as it goes: by itself among all tokens of a text, and at the end by models of
// shorter texts that have its weights. What causal layers keep of a token does not depend on those after it, so that is what is among the first tokens.
import type { Trainer, TrainSpec } from '../../../engine/types/training.ts';
import type { Means } from '../../contract/kind.ts';
import { trainLines } from '../../runtime/train-lines.ts';

/** How often the model is probed while it learns. */
const POINTS = 4;
/** Training without its probes may take about so long, s. */
const SECONDS = 20;
/** Where its probes would take more than this, s, there is none before the end. */
const MOST = 10;

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
  readonly createTrainer: (spec: TrainSpec) => Promise<Trainer>;
  readonly means: Pick<Means, 'signal' | 'pace'>;
  progress(share: number): void;
  changed(state: LiveState): void;
}

/** The error of each layer. */
async function probed(trainer: Trainer): Promise<number[]> {
  const { observed } = await trainer.evaluate({ items: 1 });
  return Array.from({ length: trainer.spec.layers + 1 }, (_, layer) => observed[`probe_error_layer_${layer}`] ?? Number.NaN);
}

/** @returns what there is at the end, or where the reader stopped it */
export async function probe(options: ProbeOptions): Promise<LiveState> {
  const { corpus, seed, steps, lengths, createTrainer, means, progress, changed } = options;
  const { signal, pace } = means;
  const base = { task: 'probe', corpus, seed } as const;
  const errors: number[][] = [[], [], []];
  const byLength: number[][] = lengths.map(() => []);
  let state: Pick<LiveState, 'total' | 'seconds' | 'done' | 'isHidden'> = { total: steps, seconds: undefined, done: 0, isHidden: false };
  let weights: Uint8Array<ArrayBuffer> | undefined;
  const now = (): LiveState => ({ ...state, errors: [...errors], byLength: [...byLength] });
  const tell = (): void => changed(now());
  const isEnough = (): boolean => (signal?.aborted || pace?.isStopped.peek()) ?? false;
  /** Of one that is made for it, and ends with it. */
  const errorsOf = async (spec: TrainSpec, own?: Uint8Array<ArrayBuffer>): Promise<number[]> => {
    const trainer = await createTrainer(spec);
    try {
      if (own) await trainer.loadWeights(own);
      return await probed(trainer);
    } finally {
      trainer.dispose();
    }
  };
  tell();
  const began = performance.now();
  for (const [model, causal] of [
    [1, true],
    [2, false],
  ] as const) {
    if (isEnough()) return now();
    errors[model] = await errorsOf({ ...base, causal });
    tell();
  }
  const before = (performance.now() - began) / 1000;
  const ofProbe = before / 2;
  const points = POINTS * ofProbe > MOST ? 1 : POINTS;
  await trainLines({
    specs: [{ ...base, causal: true }],
    seeds: [seed],
    steps,
    seconds: SECONDS,
    points,
    createTrainer,
    means,
    async measure({ trainer }) {
      errors[0] = await probed(trainer);
      weights = await trainer.saveWeights();
      state = { ...state, done: trainer.stepsDone };
    },
    progress,
    changed({ total, seconds, isHidden }) {
      // From the first point on its own probe is in it.
      const probes = (state.done === 0 ? points : 0) + lengths.length - 1;
      state = { ...state, total, seconds: before + seconds + probes * ofProbe, isHidden };
      tell();
    },
  });
  byLength[lengths.length - 1] = errors[0] ?? [];
  for (const [at, length] of lengths.slice(0, -1).entries()) {
    if (isEnough() || !weights) break;
    byLength[at] = await errorsOf({ ...base, causal: true, length }, weights);
    tell();
  }
  return now();
}
