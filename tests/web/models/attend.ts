// Attention over a whole sequence, and token by token with a cache per layer.

import type { CacheHandle, Tensor } from '../../../web/engine/types.ts';
import type { AnyPhasor } from '../contract-checks.ts';
import type { Attention, SelfAttention } from './family.ts';

type Cross = Parameters<Attention['cross']>[0];

export class FullSequence implements Attention {
  /** Of each layer: [heads, queries, keys]. */
  readonly weights: Tensor[] = [];
  private readonly phasor: AnyPhasor;
  private readonly padding: { keyMask?: readonly (0 | 1)[] };

  constructor(phasor: AnyPhasor, attentionMask: readonly (0 | 1)[]) {
    this.phasor = phasor;
    this.padding = attentionMask.includes(0) ? { keyMask: attentionMask } : {};
  }

  async self(layer: number, { causal, ...request }: SelfAttention): Promise<Tensor> {
    const mask = causal ? 'causal' : 'none';
    const { output, weights } = await this.phasor.attention({ ...request, ...this.padding, mask, want: ['weights'] });
    this.weights[layer] = weights as Tensor;
    return output;
  }

  async cross(request: Cross): Promise<Tensor> {
    return (await this.phasor.attention(request)).output;
  }
}

export class Decoding implements Attention {
  private readonly caches = new Map<number, CacheHandle>();
  private readonly phasor: AnyPhasor;
  private readonly maxLength: number;

  constructor(phasor: AnyPhasor, maxLength: number) {
    this.phasor = phasor;
    this.maxLength = maxLength;
  }

  async self(layer: number, { q, k, v, causal, ...how }: SelfAttention): Promise<Tensor> {
    if (!causal) throw new Error('only causal attention can be decoded');
    const [heads = 0, , width = 0] = q.shape;
    const [kvHeads = 0] = k.shape;
    const cache = this.caches.get(layer) ?? (await this.phasor.openCache({ heads, kvHeads, width, maxLength: this.maxLength, ...how }));
    this.caches.set(layer, cache);
    return (await this.phasor.decode({ cache, q, k, v })).output;
  }

  async cross(request: Cross): Promise<Tensor> {
    return (await this.phasor.attention(request)).output;
  }

  async close(): Promise<void> {
    for (const cache of this.caches.values()) cache.dispose();
  }
}
