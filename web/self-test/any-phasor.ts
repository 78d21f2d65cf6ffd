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

type Soon<T> = T | Promise<T>;
type Wanting<Request, W> = Request & { readonly want?: W | undefined; readonly out?: object | undefined };
interface AnyAttention {
  attention<const W extends readonly Want[] = readonly []>(request: Wanting<AttentionRequest, W>): Soon<AttentionResult<W>>;
  decode<const W extends readonly Want[] = readonly []>(request: Wanting<DecodeRequest, W>): Soon<DecodeResult<W>>;
  layer<const W extends readonly Want[] = readonly [], O extends LayerOutput = 'returned'>(
    request: Wanting<LayerRequest, W> & { readonly output?: O | undefined },
  ): Soon<LayerResult<W, O>>;
  reorder<const W extends readonly Want[] = readonly []>(request: Wanting<ReorderRequest, W>): Soon<ReorderResult<W>>;
}

/** A Phasor or a RemotePhasor: whatever it answers is awaited. */
export type AnyPhasor = {
  readonly [K in Exclude<keyof Phasor, keyof AnyAttention>]: Phasor[K] extends (...args: infer A) => infer R
    ? (...args: A) => Soon<R>
    : Phasor[K];
} & AnyAttention;
