// Attention over a whole sequence, and token by token with a cache per layer.

import type { Tensor } from '../../../web/engine/types/api.ts';
import type { AnyCache } from '../../../web/self-test/any-phasor.ts';
import type { AnyPhasor } from '../contract-checks.ts';
import type { Attention, SelfAttention } from './family.ts';
import { fromTensor, type Matrix } from './matrix.ts';

/** The input layout of the output projection. */
const outputLayout = 'token_major';

type Cross = Parameters<Attention['cross']>[0];

export class FullSequence implements Attention {
  /** Per layer: [heads, queries, keys]. */
  readonly weights: Tensor[] = [];
  private readonly phasor: AnyPhasor;
  private readonly padding: { keyMask?: readonly (0 | 1)[] };

  constructor(phasor: AnyPhasor, attentionMask: readonly (0 | 1)[]) {
    this.phasor = phasor;
    this.padding = attentionMask.includes(0) ? { keyMask: attentionMask } : {};
  }

  async self(layer: number, { causal, ...request }: SelfAttention): Promise<Matrix> {
    const mask = causal ? 'causal' : 'none';
    const { output, weights } = await this.phasor.attention({ ...request, ...this.padding, mask, outputLayout, outputs: ['weights'] });
    this.weights[layer] = weights as Tensor;
    return fromTensor(output);
  }

  async cross(request: Cross): Promise<Matrix> {
    return fromTensor((await this.phasor.attention({ ...request, outputLayout })).output);
  }
}

export class Decoding implements Attention {
  private readonly caches = new Map<number, AnyCache>();
  private readonly phasor: AnyPhasor;
  private readonly maxLength: number;

  constructor(phasor: AnyPhasor, maxLength: number) {
    this.phasor = phasor;
    this.maxLength = maxLength;
  }

  async self(layer: number, { q, k, v, causal, ...how }: SelfAttention): Promise<Matrix> {
    if (!causal) throw new Error('only causal attention can be decoded');
    const [heads = 0, , width = 0] = q.shape;
    const [kvHeads = 0] = k.shape;
    const cacheRequest = { heads, kvHeads, headDim: width, maxLength: this.maxLength, outputLayout, ...how } as const;
    const cache = this.caches.get(layer) ?? (await this.phasor.createCache(cacheRequest));
    this.caches.set(layer, cache);
    return fromTensor((await cache.decode({ q, k, v })).output);
  }

  async cross(request: Cross): Promise<Matrix> {
    return fromTensor((await this.phasor.attention({ ...request, outputLayout })).output);
  }

  async close(): Promise<void> {
    for (const cache of this.caches.values()) cache.dispose();
  }
}
