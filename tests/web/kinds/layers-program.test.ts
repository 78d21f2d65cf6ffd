import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/layers/index.ts';
import { type Result, runPython } from '../python/run.ts';
import { phasor } from './sentence-means.ts';
import { type Computed, expectProgram, figureOf } from './table-figures.ts';

const json = (config: object): string => JSON.stringify(config);

function hasLayers(config: object): boolean {
  try {
    return phasor.layersFromConfig(config).layers.length > 0;
  } catch {
    return false;
  }
}

describe('layers figure', () => {
  it('exports programs that compute the same layers, for every family', async () => {
    const families: readonly { readonly names: readonly string[] }[] = JSON.parse(readFileSync('docs/families.json', 'utf8'));
    const listedFamilies = families
      .flatMap(({ names: [name = ''] }) => name)
      .filter((model_type) => hasLayers({ model_type, num_hidden_layers: 13 }));
    expect(listedFamilies.length).toBeGreaterThan(290);
    const files = [
      ...listedFamilies.map((model_type) => ({ model_type, num_hidden_layers: 13 })),
      { model_type: 'qwen3', num_hidden_layers: 4, use_sliding_window: true, max_window_layers: 2, sliding_window: 64 },
      { model_type: 'smollm3', num_hidden_layers: 4, use_sliding_window: true, no_rope_layers: [1, 0, 0, 1], sliding_window: 99 },
      { model_type: 'exaone4', num_hidden_layers: 5, sliding_window: null },
      { model_type: 'llama4_text', num_hidden_layers: 4, attn_temperature_tuning: false, use_qk_norm: false },
      { model_type: 'gemma2', num_hidden_layers: 2, attn_logit_softcapping: null, _name_or_path: 'a "quoted" \\ """name"""' },
      {
        model_type: 'gemma3_text',
        num_hidden_layers: 2,
        layer_types: ['full_attention', 'sliding_attention'],
        rope_parameters: {
          full_attention: { rope_type: 'linear', factor: 4, rope_theta: 2e6 },
          sliding_attention: { rope_type: 'default', rope_theta: 5000 },
        },
      },
      { model_type: 'olmo3', num_hidden_layers: 4, rope_scaling: { rope_type: 'linear', factor: 2 }, rope_theta: 5e5 },
    ];
    const figures = await Promise.all(files.map((file) => figureOf(kind, { config: json(file), context: 16384 })));
    const failedTypes = files.filter((_, index) => !figures[index]?.proof().good).map(({ model_type }) => model_type);
    expect(failedTypes).toEqual([]);
    await expectProgram(figures[0] as Computed);
    const programs = await Promise.all(figures.map((figure) => figure.code()));
    const jobs = programs.map(({ python, data }) => ({ program: python, files: data, want: ['layers'] }));
    const results: readonly Result[] = runPython(jobs);
    results.forEach(({ arrays, error }, index) => {
      expect([files[index], error, arrays.layers && Array.from(arrays.layers.data)]).toEqual([
        files[index],
        undefined,
        Array.from((figures[index] as Computed).tables()[0]?.tensor.data ?? []),
      ]);
    });
  });
});
