// An engine, on this thread or in a worker, that accepts encodings whose ids and parameters are known only at run time.
import type {
  AttentionOutput,
  AttentionRequest,
  AttentionResult,
  CreateCacheRequest,
  DecodeRequest,
  DecodeResult,
  KvCache,
  ParamsInput,
  Phasor,
  SelfAttentionRequest,
  SelfAttentionResult,
} from '../engine/types/api.ts';

type MaybePromise<T> = T | Promise<T>;
export type AnyEncoding = string | DynamicEncoding;
export type DynamicRequest<Request> = {
  [Field in keyof Request]: Field extends 'encoding' ? Request[Field] | DynamicEncoding : Request[Field];
};
type DynamicEncoding = { readonly id: string } & ParamsInput;
type DynamicArguments<Arguments extends readonly unknown[]> = { [Index in keyof Arguments]: DynamicRequest<Arguments[Index]> };

type WithOutputs<Request, W> = DynamicRequest<Request> & { readonly outputs?: W | undefined; readonly out?: object | undefined };

export interface AnyCache extends Omit<KvCache, 'decode' | 'truncate' | 'fork'> {
  decode<const W extends readonly AttentionOutput[] = readonly []>(request: WithOutputs<DecodeRequest, W>): MaybePromise<DecodeResult<W>>;
  truncate(length: number): MaybePromise<void>;
  fork(): MaybePromise<AnyCache>;
}

interface AnyAttention {
  attention<const W extends readonly AttentionOutput[] = readonly []>(
    request: WithOutputs<AttentionRequest, W>,
  ): MaybePromise<AttentionResult<W>>;
  createCache(request: DynamicRequest<CreateCacheRequest>): MaybePromise<AnyCache>;
  selfAttention<const W extends readonly AttentionOutput[] = readonly [], O extends boolean = true>(
    request: WithOutputs<SelfAttentionRequest, W> & { readonly computeOutput?: O | undefined },
  ): MaybePromise<SelfAttentionResult<W, O>>;
}

/** A Phasor or a RemotePhasor. All results must be awaited. */
export type AnyPhasor = {
  readonly [K in Exclude<keyof Phasor, keyof AnyAttention>]: Phasor[K] extends (...args: infer A) => infer R
    ? { method(...args: DynamicArguments<A>): MaybePromise<R> }['method']
    : Phasor[K];
} & AnyAttention;
