// The sentence about positions in a model, for layers that the core reads from a config.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ConfigLayer, DynamicId, EncodingConfig } from '../../web/engine/index.ts';
import { writeEncodingSentence, writeLayersSentence } from '../../web/figure/compute/position-sentence.ts';
import { phasor } from './kinds/sentence-means.ts';

const sentenceOf = (config: object, wording = {}): string => writeLayersSentence(phasor.layersFromConfig(config).layers, wording);
const sentenceOfModel = (model_type: string, layers: number, options = {}): string =>
  sentenceOf({ model_type, num_hidden_layers: layers, ...options });
const createRope = (options = {}): EncodingConfig => ({
  id: 'rope' as DynamicId,
  layout: 'half_split',
  base: 10000,
  scaling: 'none',
  ...options,
});

describe('position sentence', () => {
  const LLAMA31 = { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 };

  it.each([
    [
      sentenceOfModel('llama', 32, { rope_theta: 500000, rope_scaling: LLAMA31 }),
      'All 32 layers do the same: RoPE with half-split pairs, base 500,000, low frequencies divided by 8, original length 8,192 tokens.',
    ],
    [
      sentenceOfModel('gemma3_text', 12, { sliding_window: 512 }),
      '5 of 6 layers see the last 512 tokens (base 10,000) and every 6th sees all earlier tokens (base 1,000,000); RoPE with half-split pairs.',
    ],
    [
      sentenceOfModel('modernbert', 22),
      '2 of 3 layers see 64 tokens either way (base 10,000) and the others see all tokens (base 160,000); RoPE with half-split pairs.',
    ],
    [sentenceOfModel('smollm3', 8), '3 of 4 layers have RoPE and every 4th has no positions; RoPE with half-split pairs, base 2,000,000.'],
    [
      sentenceOfModel('qwen3_next', 8),
      '3 of 4 layers have no softmax attention and every 4th sees all earlier tokens; RoPE with half-split pairs, on a quarter of each head, base 10,000.',
    ],
    [sentenceOfModel('mistral', 1), 'The only layer: RoPE with half-split pairs, base 10,000, each token sees the last 4,096 tokens.'],
    [sentenceOfModel('t5', 12), 'Encoder and decoder: all 12 layers do the same: T5, a learned bias for each of 32 distance ranges.'],
    [
      sentenceOfModel('whisper', 4),
      'Encoder: all 4 layers do the same: sines and cosines are added to the embeddings. Decoder: all 4 layers do the same: a learned table for 448 positions is added to the embeddings.',
    ],
    [
      sentenceOfModel('nanochat', 2),
      'Both layers do the same: RoPE with half-split pairs, rotating in the opposite direction, base 10,000.',
    ],
    [
      sentenceOfModel('gpt_oss', 3, { layer_types: ['full_attention', 'full_attention', 'sliding_attention'] }),
      '2 of 3 layers see all earlier tokens and layer 2 sees the last 128 tokens; RoPE with half-split pairs, base 150,000, low frequencies divided by 32, original length 4,096 tokens.',
    ],
  ])('is “%s”', (sentence, expected) => {
    expect(sentence).toBe(expected);
  });

  it('omits the number of layers of an example', () => {
    expect(sentenceOf({ model_type: 'llama', num_hidden_layers: 24 }, { isExample: true })).toBe(
      'All layers do the same: RoPE with half-split pairs, base 10,000.',
    );
  });

  it('names a parameter that differs between layers', () => {
    const layers: readonly ConfigLayer[] = [
      { type: 'full_attention', encoding: createRope({ beta_fast: 16 }) },
      { type: 'full_attention', encoding: createRope() },
      { type: 'full_attention', encoding: createRope({ beta_fast: 16 }) },
    ];
    expect(writeLayersSentence(layers)).toBe(
      '2 of 3 layers have RoPE (beta fast 16) and layer 1 has RoPE; RoPE with half-split pairs, base 10,000.',
    );
  });

  it('describes a config whose layers are not listed', () => {
    const { encodingFromConfig } = phasor;
    expect(writeEncodingSentence(encodingFromConfig({ model_type: 'foo', rope_theta: 500000 }), 4)).toBe(
      'All 4 layers use the same positional encoding, as far as the config specifies: RoPE with half-split pairs, base 500,000.',
    );
    expect(writeEncodingSentence(encodingFromConfig({ model_type: 'pixtral' }), undefined)).toBe(
      'All layers use the same positional encoding: 2-D RoPE rotates by row and column.',
    );
  });

  it('contains no undefined values for any model family', () => {
    const families: readonly { readonly names: readonly string[] }[] = JSON.parse(readFileSync('docs/families.json', 'utf8'));
    let count = 0;
    for (const model_type of families.flatMap(({ names: [name = ''] }) => name)) {
      let layers: readonly ConfigLayer[];
      try {
        layers = phasor.layersFromConfig({ model_type, num_hidden_layers: 24 }).layers;
      } catch {
        continue;
      }
      count += 1;
      expect(writeLayersSentence(layers), model_type).toMatch(/^[A-Z0-9][^_]*\.$/);
      expect(writeLayersSentence(layers), model_type).not.toMatch(/undefined|NaN|\[object|\(\)|, ,/);
    }
    expect(count).toBeGreaterThan(290);
  });
});
