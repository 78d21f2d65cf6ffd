// An engine, of this thread or in a worker.
import type {
  AttentionOutput,
  AttentionRequest,
  AttentionResult,
  CreateCacheRequest,
  DecodeRequest,
  DecodeResult,
  KvCache,
  Phasor,
  SelfAttentionRequest,
  SelfAttentionResult,
} from '../engine/types/api.ts';

type MaybePromise<T> = T | Promise<T>;
type WithOutputs<Request, W> = Request & { readonly outputs?: W | undefined; readonly out?: object | undefined };

/** A KvCache or a RemoteKvCache. */
export interface AnyCache extends Omit<KvCache, 'decode' | 'truncate' | 'fork'> {
  decode<const W extends readonly AttentionOutput[] = readonly []>(request: WithOutputs<DecodeRequest, W>): MaybePromise<DecodeResult<W>>;
  truncate(length: number): MaybePromise<void>;
  fork(): MaybePromise<AnyCache>;
}

interface AnyAttention {
  attention<const W extends readonly AttentionOutput[] = readonly []>(
    request: WithOutputs<AttentionRequest, W>,
  ): MaybePromise<AttentionResult<W>>;
  createCache(request: CreateCacheRequest): MaybePromise<AnyCache>;
  selfAttention<const W extends readonly AttentionOutput[] = readonly [], O extends boolean = true>(
    request: WithOutputs<SelfAttentionRequest, W> & { readonly computeOutput?: O | undefined },
  ): MaybePromise<SelfAttentionResult<W, O>>;
}

/** A Phasor or a RemotePhasor: every result is awaited. */
export type AnyPhasor = {
  readonly [K in Exclude<keyof Phasor, keyof AnyAttention>]: Phasor[K] extends (...args: infer A) => infer R
    ? (...args: A) => MaybePromise<R>
    : Phasor[K];
} & AnyAttention;
