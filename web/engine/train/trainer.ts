// Implements `Trainer` by calling phasor-nn (cpp/wasm/train_calls.cpp).

import { argumentError, PhasorError } from '../errors.ts';
import { makeDisposable, nextHandleNumber } from '../handles.ts';
import { type FlatRequest, serializeRequest } from '../request/flat-request.ts';
import { checkCancelled, checkHooks, type Hooks } from '../request/hooks.ts';
import { invalidValueError, outOfRangeError } from '../request/invalid-value.ts';
import { readOptions } from '../request/options.ts';
import { getTag, isPlain } from '../request/plain.ts';
import { listOldTrainerNames, withOldNames } from '../request/renamed.ts';
import type {
  AblationOptions,
  EvaluateOptions,
  Evaluation,
  HeadIndex,
  KCompositionOptions,
  LengthScore,
  PyTorchExport,
  QueriesAndKeys,
  ResolvedTrainConfig,
  StepOptions,
  StepReport,
  TaskInfo,
  Tensor,
  TensorData,
  TrainConfig,
  Trainer,
  TrainParamInfo,
  Variant,
  Weights,
} from '../types/api.ts';

/** Calls that phasor-nn supports and phasor does not. */
export const trainCalls = [
  'training',
  'createTrainer',
  'step',
  'evaluate',
  'attentionWeights',
  'queriesAndKeys',
  'logits',
  'ablateHeads',
  'kComposition',
  'tokens',
  'weights',
  'saveWeights',
  'loadWeights',
  'saveCheckpoint',
  'loadCheckpoint',
] as const;
export type TrainCall = (typeof trainCalls)[number];

/** The engine that runs a trainer. It belongs to this trainer alone, or is shared by the figures of a page. */
export interface TrainerEngine {
  readonly variant: Variant;
  readonly thread: Trainer['thread'];
  call(name: TrainCall, request: FlatRequest): Promise<unknown>;
  /** Yields to the event loop if enough time has passed. */
  pause(): Promise<void> | undefined;
  /**
   * Frees the memory of a trainer.
   * @param trainer its handle number; undefined if it could not be created
   */
  end(trainer?: number): void;
}

interface TrainingSupport {
  readonly tasks: readonly TaskInfo[];
  readonly fields: readonly TrainParamInfo[];
}

/** Returns the bytes that WebAssembly has stored in a Float32Array. */
const unpackBytes = (result: unknown): Uint8Array<ArrayBuffer> => {
  const { size, bits } = result as { size: number; bits: { data: Float32Array<ArrayBuffer> } };
  return new Uint8Array(bits.data.buffer, bits.data.byteOffset, size);
};

/**
 * Returns a valid list of lengths, or undefined for any other value. The core replaces an absent value with the default, and rejects any
 * other.
 */
const readLengths = (lengths: unknown): readonly number[] | undefined =>
  Array.isArray(lengths) && lengths.length > 0 && lengths.every(Number.isInteger) ? [...lengths] : undefined;

function readBytes(path: string, value: unknown): Uint8Array {
  if (getTag(value) === '[object ArrayBuffer]') return new Uint8Array(value as ArrayBuffer);
  if (getTag(value) === '[object Uint8Array]') return value as Uint8Array;
  throw invalidValueError(path, value, 'is not a Uint8Array or an ArrayBuffer');
}

class EngineTrainer {
  declare readonly variant: Variant;
  declare readonly thread: Trainer['thread'];
  declare readonly config: ResolvedTrainConfig;
  declare readonly tasks: readonly TaskInfo[];
  declare readonly fields: readonly TrainParamInfo[];
  readonly #engine: TrainerEngine;
  readonly #number: number;
  #globalStep = 0;
  #disposed = false;
  /** Resolves when the current evaluation has ended. An evaluation may take several calls. */
  #evaluating: Promise<void> | undefined;

  constructor(engine: TrainerEngine, handleNumber: number, config: ResolvedTrainConfig, { tasks, fields }: TrainingSupport) {
    this.#engine = engine;
    this.#number = handleNumber;
    const { variant, thread } = engine;
    Object.assign(this, { variant, thread, config, tasks, fields });
    makeDisposable(this, () => this.dispose());
  }

  get globalStep(): number {
    return this.#globalStep;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  async #call<T>(name: TrainCall, request: object = {}): Promise<T> {
    if (this.#disposed) throw argumentError('trainer', 'is disposed');
    const serializedRequest = serializeRequest(name, request, { creates: this.#number });
    // Other requests wait until an evaluation has ended, so that the model does not change between its calls.
    while (this.#evaluating) await this.#evaluating;
    return this.#callNow(name, serializedRequest);
  }

  async #callNow<T>(name: TrainCall, serializedRequest: FlatRequest): Promise<T> {
    if (this.#disposed) throw argumentError('trainer', 'is disposed');
    return (await this.#engine.call(name, serializedRequest)) as T;
  }

  async step(count = 1, options: StepOptions = {}): Promise<StepReport> {
    const { onProgress, signal } = readOptions(options, ['onProgress', 'signal']);
    checkHooks({ onProgress, signal });
    const maxSteps = 100_000_000;
    if (!Number.isInteger(count)) throw invalidValueError('count', count, 'is not a whole number');
    if (count < 1 || count > maxSteps) throw outOfRangeError('count', count, 1, maxSteps);
    let lossSum = 0;
    for (let n = 1; ; n++) {
      checkCancelled(signal, 'step', n - 1, count, 'steps');
      const report = await this.#call<StepReport>('step');
      this.#globalStep = report.step;
      lossSum += report.loss;
      onProgress?.(report);
      if (n === count) return { ...report, loss: lossSum / count };
      await this.#engine.pause();
    }
  }

  async evaluate(options: EvaluateOptions = {}): Promise<Evaluation> {
    const { onProgress, signal, ...settings } = readOptions(options);
    checkHooks({ onProgress, signal });
    const lengths = readLengths(settings.lengths);
    checkCancelled(signal, 'evaluate', 0, lengths?.length ?? 1, 'lengths');
    // All lengths are evaluated in a single call if there is no list of lengths, no progress callback and no signal.
    if (!lengths || (!onProgress && !signal)) {
      const evaluation = await this.#call<Evaluation>('evaluate', settings);
      for (const score of evaluation.lengths) onProgress?.(score);
      return evaluation;
    }
    while (this.#evaluating) await this.#evaluating;
    const evaluation = this.#evaluate(lengths, settings, { onProgress, signal });
    const endEvaluation = (): void => {
      this.#evaluating = undefined;
    };
    this.#evaluating = evaluation.then(endEvaluation, endEvaluation);
    return evaluation;
  }

  /**
   * Evaluates each length in a separate call. Samples depend only on the seed, so the result is the same as that of a single call. The last
   * call also returns the extra metrics of the task.
   */
  async #evaluate(
    lengths: readonly number[],
    evaluateOptions: EvaluateOptions,
    { onProgress, signal }: Hooks<LengthScore>,
  ): Promise<Evaluation> {
    const scores: LengthScore[] = [];
    for (;;) {
      const isLastLength = scores.length === lengths.length - 1;
      const request = { ...evaluateOptions, lengths: [lengths[scores.length]], ...(isLastLength ? {} : { extraMetrics: false }) };
      const lengthEvaluation = await this.#callNow<Evaluation>(
        'evaluate',
        serializeRequest('evaluate', request, { creates: this.#number }),
      );
      const [score] = lengthEvaluation.lengths as readonly [LengthScore];
      scores.push(score);
      onProgress?.(score);
      if (isLastLength) return { ...lengthEvaluation, lengths: scores };
      await this.#engine.pause();
      checkCancelled(signal, 'evaluate', scores.length, lengths.length, 'lengths');
    }
  }

  async attentionWeights(tokens: ArrayLike<number>): Promise<Tensor> {
    return this.#call('attentionWeights', { tokens });
  }

  async queriesAndKeys(tokens: ArrayLike<number>): Promise<QueriesAndKeys> {
    return this.#call('queriesAndKeys', { tokens });
  }

  async logits(tokens: ArrayLike<number>): Promise<Tensor> {
    return this.#call('logits', { tokens });
  }

  async ablateHeads(heads: readonly HeadIndex[], { type = 'zero' }: AblationOptions = {}): Promise<void> {
    if (!Array.isArray(heads)) throw invalidValueError('heads', heads, 'is not a list of heads');
    const indexPairs = heads.map((head, index) => {
      if (typeof head !== 'object' || head === null)
        throw invalidValueError(`heads[${index}]`, head, 'is not an object with layer and head');
      return [head.layer, head.head];
    });
    await this.#call('ablateHeads', { heads: indexPairs.flat(), type });
  }

  async kComposition(options: KCompositionOptions = {}): Promise<Tensor> {
    return this.#call('kComposition', options);
  }

  async tokens(text: string): Promise<readonly number[]> {
    return (await this.#call<{ tokens: number[] }>('tokens', { text })).tokens;
  }

  async weights(): Promise<Weights> {
    return this.#call('weights');
  }

  async saveWeights(options: { readonly dtype?: 'f32' | 'f16' | undefined } = {}): Promise<Uint8Array<ArrayBuffer>> {
    return unpackBytes(await this.#call('saveWeights', options));
  }

  async loadWeights(weights: { readonly [name: string]: TensorData } | Uint8Array | ArrayBuffer): Promise<void> {
    if (typeof weights !== 'object' || weights === null || Array.isArray(weights)) {
      throw invalidValueError('weights', weights, 'is neither an object of named tensors nor the bytes of a safetensors file');
    }
    if (!ArrayBuffer.isView(weights) && getTag(weights) !== '[object ArrayBuffer]' && isPlain(weights)) {
      const namedTensors = Object.entries(weights);
      const joinedNames = namedTensors.map(([name]) => name).join('\n');
      await this.#call('loadWeights', {
        names: joinedNames,
        ...Object.fromEntries(namedTensors.map(([, tensor], index) => [index, tensor])),
      });
      return;
    }
    await this.#call('loadWeights', { bytes: readBytes('weights', weights) });
  }

  async saveCheckpoint(): Promise<Uint8Array<ArrayBuffer>> {
    return unpackBytes(await this.#call('saveCheckpoint'));
  }

  async loadCheckpoint(checkpoint: Uint8Array | ArrayBuffer): Promise<void> {
    const { step } = await this.#call<{ step: number }>('loadCheckpoint', { bytes: readBytes('checkpoint', checkpoint) });
    this.#globalStep = step;
  }

  async toPyTorch(): Promise<PyTorchExport> {
    const name = `${this.config.task}_${this.config.encoding.id}`;
    const { createPytorchConfig } = await import('./pytorch.ts');
    return { name, config: createPytorchConfig(this.config), weights: await this.saveWeights() };
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#engine.end(this.#number);
  }
}

/**
 * Returns the tasks and config fields that an engine supports. Rejects with an error about the option `wasm` if the engine cannot train.
 */
async function fetchTrainingSupport(engine: TrainerEngine): Promise<TrainingSupport> {
  try {
    return (await engine.call('training', serializeRequest('training', {}))) as TrainingSupport;
  } catch (thrown) {
    const { code } = PhasorError.from(thrown);
    if (code !== 'unknown_name') throw thrown;
    throw argumentError('wasm', 'does not support training; expected phasor-nn.wasm', { code: 'not_wasm' });
  }
}

export async function createTrainerIn(engine: TrainerEngine, config: TrainConfig): Promise<Trainer> {
  try {
    const support = await fetchTrainingSupport(engine);
    const number = nextHandleNumber();
    const request = serializeRequest('createTrainer', config, { creates: number });
    const response = (await engine.call('createTrainer', request)) as { spec: ResolvedTrainConfig };
    return withOldNames(new EngineTrainer(engine, number, response.spec, support) as unknown as Trainer, listOldTrainerNames());
  } catch (thrown) {
    engine.end();
    throw thrown;
  }
}

/** Returns true if the config requires bitwise equal results on all machines. The core checks the other fields. */
export function isPortable(config: unknown): boolean {
  if (typeof config !== 'object' || config === null) throw invalidValueError('config', config, 'is not an object');
  const { portable } = config as TrainConfig;
  if (portable !== undefined && portable !== null && typeof portable !== 'boolean')
    throw invalidValueError('portable', portable, 'is not true or false');
  return portable === true;
}
