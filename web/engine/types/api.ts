// The public API of the engine. Methods, requests and results are declared by topic in the other files of this folder.

import type { CALL } from '../call/call-key.ts';
import type { PhasorError } from '../errors.ts';
import type { AnalysisMethod, RandomNormalRequest } from './analysis.ts';
import type { AttentionOutput, AttentionRequest, AttentionResult, WithOutputs } from './attention.ts';
import type { AttentionMethods } from './attention-methods.ts';
import type { CreateCacheRequest } from './caches.ts';
import type { EncodingInfo } from './encoding-info.ts';
import type { EncodingMethods } from './encoding-methods.ts';
import type { DisposableLike, RemoteKvCache } from './handles.ts';
import type { SelfAttentionCall, SelfAttentionResult } from './layers.ts';
import type { CallOptions } from './options.ts';
import type { ResourceMethods } from './resource-methods.ts';
import type { Tensor } from './tensors.ts';

export type * from './analysis.ts';
export type * from './attention.ts';
export type * from './attention-options.ts';
export type * from './caches.ts';
export type * from './encoding-info.ts';
export type * from './encodings.ts';
export type * from './handles.ts';
export type * from './layers.ts';
export type * from './model-changes.ts';
export type * from './model-files.ts';
export type * from './model-runs.ts';
export type * from './models.ts';
export type * from './options.ts';
export type * from './out.ts';
export type * from './tensors.ts';
export type * from './train-config.ts';
export type * from './train-results.ts';
export type * from './trainer.ts';

/** An engine on the calling thread. Every method throws a PhasorError for invalid input. */
export interface Phasor extends EncodingMethods, AttentionMethods, ResourceMethods {
  /** The instruction set of the engine. */
  readonly variant: Variant;
  /** The version of the WebAssembly file, such as '0.2.0'. */
  readonly version: string;
  /** All encodings, with their parameters. */
  readonly encodings: readonly EncodingInfo[];
  /** Calls a function of `phasor/analysis`. The first argument of these functions is an engine. */
  readonly [CALL]: (method: AnalysisMethod, args: readonly unknown[]) => unknown;

  /**
   * Samples from the standard normal distribution; the same seed gives the same values on every machine.
   * @throws {PhasorError} `invalid_argument` for a shape or seed outside its range; `resource_exhausted` above 1 GiB
   * @example
   * ```js
   * phasor.randomNormal({ seed: 1, shape: [2] }).data; // [-0.0282497, -1.06562]
   * ```
   */
  randomNormal(request: RandomNormalRequest): Tensor;
}

/**
 * The instruction set of an engine: SIMD with fused multiply-adds ('relaxed'), or SIMD without them ('simd'). Results of 'simd' are the
 * same on every machine. Results of 'relaxed' may differ in the last bits from those of 'simd' and between machines.
 */
export type Variant = 'relaxed' | 'simd';

/**
 * Methods that are declared explicitly, because a mapped type cannot convert methods whose result type depends on `outputs`, or whose
 * result has methods.
 */
interface RemoteAttention {
  /**
   * Runs `Phasor.attention` in a worker. A pool splits the call by queries.
   * @throws {PhasorError} rejects with the errors of `Phasor.attention`, with `cancelled` if the signal is aborted, and with `internal` if
   * a worker crashed
   * @example
   * ```js
   * const x = await remote.randomNormal({ seed: 1, shape: [2, 6, 8] });
   * const { weights } = await remote.attention({ q: x, k: x, v: x, outputs: ['weights'] }, { signal: AbortSignal.timeout(60_000) });
   * weights.shape; // [2, 6, 6]
   * ```
   */
  attention<const W extends readonly AttentionOutput[] = readonly []>(
    request: WithOutputs<AttentionRequest, W>,
    options?: CallOptions,
  ): Promise<AttentionResult<W>>;
  /**
   * Runs `Phasor.createCache` in a worker.
   * @throws {PhasorError} rejects with the errors of `Phasor.createCache`, with `cancelled` if the signal is aborted, and with `internal`
   * if a worker crashed
   * @example
   * ```js
   * const cache = await remote.createCache({ heads: 1, headDim: 4, maxLength: 16 });
   * cache.length; // 0
   * cache.dispose();
   * ```
   */
  createCache(request: CreateCacheRequest, options?: CallOptions): Promise<RemoteKvCache>;
  /**
   * Runs `Phasor.selfAttention` in a worker.
   * @throws {PhasorError} rejects with the errors of `Phasor.selfAttention`, with `cancelled` if the signal is aborted, and with `internal`
   * if a worker crashed
   * @example
   * ```js
   * const x = await remote.randomNormal({ seed: 1, shape: [6, 8] });
   * (await remote.selfAttention({ x, heads: 2, encoding: 'rope' })).output.shape; // [6, 8]
   * ```
   */
  selfAttention<const W extends readonly AttentionOutput[] = readonly [], O extends boolean = true>(
    request: SelfAttentionCall<W, O>,
    options?: CallOptions,
  ): Promise<SelfAttentionResult<W, O>>;
}

/** The members of RemotePhasor that are not in Phasor. */
interface RemoteState {
  /**
   * The thread on which the engine runs. It is 'same-thread' only if no worker was available and `fallback` was set. Calls then block the
   * page.
   */
  readonly thread: 'worker' | 'same-thread';
  /** If the engine runs on the calling thread, the reason why no worker was available. */
  readonly fallbackReason?: PhasorError;
  /**
   * Terminates the workers; pending calls are rejected. Called automatically at the end of a `using` block. Throws nothing, even if called
   * twice.
   * @example
   * ```js
   * const { createPhasorWorker } = await import('phasor/worker');
   * const engine = await createPhasorWorker();
   * engine.thread; // 'worker'
   * engine.dispose();
   * ```
   */
  dispose(): void;
}

/**
 * An engine in a worker. It has the methods of Phasor, but each method returns a promise, and call options may be passed as the last
 * argument. If a worker crashes, its pending calls are rejected and the next call starts a new worker.
 */
export type RemotePhasor = {
  // Exclude would hide the documentation of the methods in editors; Omit keeps it.
  readonly [K in keyof Omit<Phasor, keyof RemoteAttention>]: Phasor[K] extends (...args: infer A) => infer R
    ? (...args: [...request: A, options?: CallOptions]) => Promise<R>
    : Phasor[K];
} & RemoteAttention &
  RemoteState &
  DisposableLike;

/**
 * An engine that uses several workers. Each call to `attention` is split across the workers. Its result is bitwise equal to that of a
 * single worker.
 */
export type PhasorPool = RemotePhasor & {
  /** Maximum number of workers. A worker is started when it is first needed. */
  readonly workers: number;
};
