// An engine, of this thread or in a worker.
import type {
  AttentionRequest,
  AttentionResult,
  DecodeRequest,
  DecodeResult,
  LayerOutput,
  LayerRequest,
  LayerResult,
  Phasor,
  ReorderRequest,
  ReorderResult,
  Want,
} from '../engine/types/api.ts';

type MaybePromise<T> = T | Promise<T>;
type WithOutputs<Request, W> = Request & { readonly want?: W | undefined; readonly out?: object | undefined };
interface AnyAttention {
  attention<const W extends readonly Want[] = readonly []>(request: WithOutputs<AttentionRequest, W>): MaybePromise<AttentionResult<W>>;
  decode<const W extends readonly Want[] = readonly []>(request: WithOutputs<DecodeRequest, W>): MaybePromise<DecodeResult<W>>;
  layer<const W extends readonly Want[] = readonly [], O extends LayerOutput = 'returned'>(
    request: WithOutputs<LayerRequest, W> & { readonly output?: O | undefined },
  ): MaybePromise<LayerResult<W, O>>;
  reorder<const W extends readonly Want[] = readonly []>(request: WithOutputs<ReorderRequest, W>): MaybePromise<ReorderResult<W>>;
}

/** A Phasor or a RemotePhasor: whatever it answers is awaited. */
export type AnyPhasor = {
  readonly [K in Exclude<keyof Phasor, keyof AnyAttention>]: Phasor[K] extends (...args: infer A) => infer R
    ? (...args: A) => MaybePromise<R>
    : Phasor[K];
} & AnyAttention;
