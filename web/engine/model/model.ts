// Implements `Model` by calling phasor-model (cpp/wasm/checkpoint_calls.cpp).

import { argumentError, PhasorError } from '../errors.ts';
import { createHandle, makeDisposable, nextHandleNumber } from '../handles.ts';
import { serializeRequest } from '../request/flat-request.ts';
import { checkHooks } from '../request/hooks.ts';
import { invalidValueError, outOfRangeError } from '../request/invalid-value.ts';
import { readOptions } from '../request/options.ts';
import type {
  CallOptions,
  GeneratedToken,
  GenerateOptions,
  LengthLoss,
  LossByLengthOptions,
  Model,
  ModelAttentionOptions,
  ModelCache,
  ModelCacheOptions,
  ModelInfo,
  ModelOutput,
  ModelOutputName,
  QueryKeyStates,
  QueryKeyStatesOptions,
  RunOptions,
  Tensor,
  TokenIds,
  Tokenizer,
  TokenPrediction,
  Variant,
} from '../types/api.ts';
import { serializeChanges } from './changes.ts';
import { lossByLength } from './loss-by-length.ts';
import type { CheckpointCall, ModelEngine } from './open.ts';
import { decodeTokenIds, MAX_TOKENS, readTokenIds } from './tokens.ts';

interface RawOutput extends Omit<ModelOutput, 'inputIds' | 'predictions'> {
  readonly predictedIds?: readonly number[];
  readonly predictedLogProbabilities?: Tensor;
  readonly cacheLength?: number;
}

interface CacheState {
  length: number;
  /** True if a run with this cache was cancelled. The engine may still finish that run, so the contents of the cache are unknown. */
  isUncertain: boolean;
}

function groupPredictions(ids: readonly number[], { shape: [rows = 0, topK = 0], data }: Tensor): readonly (readonly TokenPrediction[])[] {
  const predictionAt = (index: number) => ({ id: ids[index] as number, logProbability: data[index] as number });
  return Array.from({ length: rows }, (_, row) => Array.from({ length: topK }, (_unused, n) => predictionAt(row * topK + n)));
}

/** Rejects as soon as the signal is aborted; otherwise settles like `call`. The engine finishes the call even if it is aborted. */
function rejectOnAbort<T>(name: string, signal: CallOptions['signal'], call: Promise<T>): Promise<T> {
  if (!signal) return call;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new PhasorError('cancelled', `${name}: the call was cancelled`));
    signal.addEventListener('abort', onAbort, { once: true });
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

class EngineModel implements Omit<Model, keyof Disposable> {
  declare readonly info: ModelInfo;
  declare readonly variant: Variant;
  declare readonly thread: Model['thread'];
  readonly #engine: ModelEngine;
  readonly #tokenizer: Tokenizer | undefined;
  readonly #cacheStates = new WeakMap<ModelCache, CacheState>();
  readonly #owner = { release: (handleNumber: number) => void this.#release(handleNumber) };
  #disposed = false;

  constructor(engine: ModelEngine, info: ModelInfo, tokenizer: Tokenizer | undefined) {
    this.#engine = engine;
    this.#tokenizer = tokenizer;
    const { variant, thread } = engine;
    Object.assign(this, { info, variant, thread });
    makeDisposable(this, () => this.dispose());
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  /** Sends a call to the engine. `newHandleNumber` is the number of the handle that the call creates, if any. */
  async #call<T>(name: CheckpointCall, request: object, signal?: CallOptions['signal'], newHandleNumber?: number): Promise<T> {
    if (this.#disposed) throw argumentError('model', 'is disposed');
    checkHooks({ signal });
    if (signal?.aborted) throw new PhasorError('cancelled', `${name}: the call was cancelled`);
    const serializedRequest = serializeRequest(name, request, { owner: this.#owner, creates: newHandleNumber });
    return rejectOnAbort(name, signal, this.#engine.call(name, serializedRequest) as Promise<T>);
  }

  #release(handleNumber: number): void {
    if (!this.#disposed) this.#engine.call('release', serializeRequest('release', {}, { creates: handleNumber })).catch(() => {});
  }

  async run<const W extends readonly ModelOutputName[]>(input: TokenIds | string, options: RunOptions<W> = {}): Promise<ModelOutput<W>> {
    const { signal, changes, ...runOptions } = readOptions(options);
    const inputIds = await readTokenIds(input, this.#tokenizer);
    const { causal, hasHead } = this.info;
    const { outputs = hasHead ? ['logits'] : [] } = runOptions;
    if (Array.isArray(outputs) && !hasHead && (outputs.includes('logits') || outputs.includes('loss')))
      throw invalidValueError(
        'outputs',
        outputs.includes('logits') ? 'logits' : 'loss',
        'requires a language-model head; this checkpoint has none',
      );
    if (Array.isArray(outputs) && !causal && outputs.includes('loss'))
      throw invalidValueError('outputs', 'loss', 'requires a causal model');
    const request = { ...runOptions, outputs, inputIds, changes: serializeChanges(changes) };
    const state = runOptions.cache && this.#cacheStates.get(runOptions.cache);
    const rejectUncertainCache = () => {
      if (state?.isUncertain) throw argumentError('cache', 'its contents are unknown after a cancelled run; expected another cache');
    };
    rejectUncertainCache();
    const hasBegun = !signal?.aborted;
    const { predictedIds, predictedLogProbabilities, cacheLength, ...output } = await this.#call<RawOutput>('run', request, signal).catch(
      (thrown) => {
        if (state && hasBegun && signal?.aborted) state.isUncertain = true;
        throw thrown;
      },
    );
    // An earlier run with the same cache may have been cancelled while this run was waiting.
    rejectUncertainCache();
    if (state && cacheLength !== undefined) state.length = cacheLength;
    const predictions = predictedIds && predictedLogProbabilities && groupPredictions(predictedIds, predictedLogProbabilities);
    const emptyLoss = Array.isArray(outputs) && outputs.includes('loss') ? { logProbabilities: [], loss: undefined } : {};
    return { inputIds, ...emptyLoss, ...output, ...(predictions ? { predictions } : {}) } as unknown as ModelOutput<W>;
  }

  async attention(input: TokenIds | string, options: ModelAttentionOptions): Promise<Tensor> {
    return this.#layerCall('attention', input, options);
  }

  async queryKeyStates(input: TokenIds | string, options: QueryKeyStatesOptions): Promise<QueryKeyStates> {
    return this.#layerCall('queryKeyStates', input, options);
  }

  async #layerCall<T>(name: CheckpointCall, input: TokenIds | string, options: QueryKeyStatesOptions): Promise<T> {
    const { signal, changes, ...layerOptions } = readOptions(options);
    const inputIds = await readTokenIds(input, this.#tokenizer);
    return this.#call(name, { ...layerOptions, inputIds, changes: serializeChanges(changes) }, signal);
  }

  async createCache(options: ModelCacheOptions): Promise<ModelCache> {
    const { maxLength, changes } = readOptions(options, ['maxLength', 'changes']);
    const handleNumber = nextHandleNumber();
    await this.#call('createCache', { maxLength, changes: serializeChanges(changes) }, undefined, handleNumber);
    const state: CacheState = { length: 0, isUncertain: false };
    const cache = createHandle('cache', handleNumber, this.#owner, {}) as ModelCache;
    this.#cacheStates.set(cache, state);
    return Object.defineProperty(cache, 'length', { get: () => state.length, enumerable: true });
  }

  async *generate(input: TokenIds | string, options: GenerateOptions = {}): AsyncGenerator<GeneratedToken, void, undefined> {
    const optionNames = ['maxNewTokens', 'eosTokenId', 'topK', 'changes', 'signal'] as const;
    const { maxNewTokens = 20, eosTokenId, topK = 1, changes, signal } = readOptions(options, optionNames);
    const { hasHead, vocabSize } = this.info;
    if (!Number.isInteger(maxNewTokens)) throw invalidValueError('maxNewTokens', maxNewTokens, 'is not a whole number');
    if (maxNewTokens < 0 || maxNewTokens > MAX_TOKENS) throw outOfRangeError('maxNewTokens', maxNewTokens, 0, MAX_TOKENS);
    if (eosTokenId !== undefined && !Number.isInteger(eosTokenId)) throw invalidValueError('eosTokenId', eosTokenId, 'is not a token id');
    if (!Number.isInteger(topK)) throw invalidValueError('topK', topK, 'is not a whole number');
    if (topK < 1 || topK > vocabSize) throw outOfRangeError('topK', topK, 1, vocabSize);
    if (!hasHead) throw argumentError('generate', 'requires a language-model head; this checkpoint has none');
    const tokenizer = this.#tokenizer;
    const ids = [...(await readTokenIds(input, tokenizer))];
    if (maxNewTokens === 0) return;
    const cache = await this.#createGenerationCache(ids.length, maxNewTokens, changes);
    try {
      let emittedText = tokenizer && ids.length > 0 ? await decodeTokenIds(ids, tokenizer) : '';
      for (let nextIds = ids.slice(), n = 0; n < maxNewTokens; n++) {
        const { predictions } = await this.run(nextIds, { outputs: [], topK, logitsToKeep: 1, cache, signal });
        const alternatives = predictions?.[0] as readonly TokenPrediction[];
        const { id, logProbability } = alternatives[0] as TokenPrediction;
        nextIds = [id];
        ids.push(id);
        const decodedText = tokenizer ? await decodeTokenIds(ids, tokenizer) : '';
        // If the bytes of a character are split between tokens, the character is returned with the last of these tokens.
        const endsInsideCharacter = decodedText.endsWith('\ufffd');
        const textField = tokenizer ? { text: endsInsideCharacter ? '' : decodedText.slice(emittedText.length) } : {};
        if (!endsInsideCharacter) emittedText = decodedText;
        yield { id, logProbability, ...textField, alternatives };
        if (id === eosTokenId) return;
        await this.#engine.pause();
      }
    } finally {
      cache.dispose();
    }
  }

  async lossByLength(input: TokenIds | string, options: LossByLengthOptions): Promise<readonly LengthLoss[]> {
    const optionNames = ['lengths', 'prefixIds', 'maxWindows', 'changes', 'onProgress', 'signal'] as const;
    const providedOptions = readOptions(options, optionNames);
    const { changes, signal } = providedOptions;
    return lossByLength(await readTokenIds(input, this.#tokenizer), providedOptions, this.info, async (windowIds) => {
      const { logProbabilities = [] } = await this.run(windowIds, { outputs: ['loss'], changes, signal });
      await this.#engine.pause();
      return logProbabilities;
    });
  }

  /**
   * Creates the cache for `generate`. If the model has too few positions, the error names `maxNewTokens`, because the caller did not set
   * `maxLength`.
   */
  async #createGenerationCache(tokenCount: number, maxNewTokens: number, changes: GenerateOptions['changes']): Promise<ModelCache> {
    try {
      return await this.createCache({ maxLength: tokenCount + maxNewTokens, changes });
    } catch (thrown) {
      const { argument, allowed } = thrown as PhasorError;
      if (argument !== 'maxLength' || !allowed || !('max' in allowed)) throw thrown;
      throw outOfRangeError('maxNewTokens', maxNewTokens, 0, Math.max(0, allowed.max - tokenCount));
    }
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#engine.end();
  }
}

/** Creates a model from an engine that has read the model's files. */
export const createModelFromEngine = (engine: ModelEngine, info: ModelInfo, tokenizer: Tokenizer | undefined): Model =>
  new EngineModel(engine, info, tokenizer) as unknown as Model;
