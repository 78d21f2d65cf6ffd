// The layers of published models, read by the real core.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { kind } from '../../../web/figure/kinds/layers/index.ts';
import { MODEL_IDS, MODELS } from '../../../web/figure/kinds/layers/models.ts';
import { type Computed, expectAnswering, figureOf } from './table-figures.ts';

const json = (config: object): string => JSON.stringify(config);
const column = ({ results }: Computed, rowIndex: number): number[] => {
  const [rows = 0, columns = 0] = results.table.shape;
  return Array.from({ length: rows }, (_, row) => results.table.data[row * columns + rowIndex]);
};
const textsOf = (figure: Computed, width?: number): string[] =>
  figure.scene(width).picture.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
const barsOf = (figure: Computed) =>
  figure
    .scene()
    .picture.marks.flatMap((mark) => (mark.kind === 'rect' && mark.opacity === undefined ? [mark] : []))
    .slice(-figure.results.layers.length);

const LLAMA4 = {
  model_type: 'llama4_text',
  num_hidden_layers: 8,
  attention_chunk_size: 8192,
  max_position_embeddings: 1048576,
  no_rope_layers: [],
};
const GEMMA3 = { model_type: 'gemma3_text', num_hidden_layers: 12, sliding_window: 512, max_position_embeddings: 32768 };

describe('layers figure', () => {
  it('shows alternating windows, and sinks in every layer, for gpt-oss', async () => {
    const figure = await figureOf(kind);
    expect(column(figure, 3).slice(0, 4)).toEqual([128, 0, 128, 0]);
    expect(column(figure, 5).slice(0, 2)).toEqual([128, 131072]);
    expect(new Set(column(figure, 7))).toEqual(new Set([1]));
    expect(new Set(column(figure, 1))).toEqual(new Set([150000]));
    expect(figure.readout()).toBe(
      'gpt-oss-20b: Every other layer sees the last 128 tokens and the others see all earlier tokens; RoPE with half-split pairs, base 150,000, low frequencies divided by 32, original length 4,096 tokens. Every layer has a learned sink for each head.',
    );
    const [nearWidth, farWidth] = barsOf(figure).map(({ width }) => width) as [number, number];
    expect(nearWidth).toBeLessThan(0.4 * farWidth);
    expect(textsOf(figure)).toEqual(expect.arrayContaining(['sinks', '128', '131,072', '0']));
  });

  it('shows five local layers and a global one, with two bases, for Gemma 3', async () => {
    const figure = await figureOf(kind, { model: 'gemma_3_27b' });
    expect(figure.results.layers).toHaveLength(62);
    expect(figure.results.period).toBe(6);
    expect(column(figure, 1).slice(0, 7)).toEqual([1e4, 1e4, 1e4, 1e4, 1e4, 1e6, 1e4]);
    expect(column(figure, 2)[5]).toBe(8);
    expect(figure.readout({ layer: 5 })).toBe(
      'Layer 5 (0 to 61): RoPE, base 1,000,000, linear scaling with factor 8; attends to all 131,072 tokens. It has queries and keys normalised in each head before the rotation and q·k times 0.0772.',
    );
    expect(figure.readout()).toContain(
      '5 of 6 layers see the last 1,024 tokens (base 10,000) and every 6th sees all earlier tokens (base 1,000,000, all frequencies divided by 8); RoPE with half-split pairs.',
    );
    expect(figure.readout({ layer: 62 })).toBe(figure.readout());
  });

  it('describes the equal layers of DeepSeek-V3', async () => {
    const figure = await figureOf(kind, { model: 'deepseek_v3' });
    expect(figure.readout()).toMatch(
      /^DeepSeek-V3: All 61 layers do the same: RoPE with interleaved pairs, on the last 64 of 192 channels, base 10,000, low frequencies divided by 40, original length 4,096 tokens\. Every layer has one rotated key shared by all heads and q·k times 0\.135\.$/,
    );
    expect(new Set(barsOf(figure).map(({ width }) => width)).size).toBe(1);
  });

  it('outlines layers without an encoding, in another colour', async () => {
    const figure = await figureOf(kind, { model: 'command_r7b' });
    const bars = barsOf(figure);
    expect(column(figure, 0).slice(0, 5)).toEqual([1, 1, 1, 0, 1]);
    expect(bars.slice(0, 5).map(({ outline = false }) => outline)).toEqual([false, false, false, true, false]);
    expect(bars[3]?.tone).not.toBe(bars[2]?.tone);
    expect(textsOf(figure).join(' ')).toContain('8 layers: no encoding; attend to all 132,096 tokens');
  });

  it('shows the chunks, norms and query temperatures of Llama 4', async () => {
    const figure = await figureOf(kind, { config: json(LLAMA4) });
    expect(column(figure, 4)).toEqual([8192, 8192, 8192, 0, 8192, 8192, 8192, 0]);
    expect(column(figure, 9)).toEqual([0, 0, 0, 1, 0, 0, 0, 1]);
    expect(column(figure, 8)).toEqual([1, 1, 1, 0, 1, 1, 1, 0]);
    expect(figure.readout({ layer: 0 })).toContain('attends to its own chunk of 8,192 tokens');
    expect(figure.readout()).toContain(
      '3 of 4 layers see their own chunk of 8,192 tokens and every 4th sees all earlier tokens without positions',
    );
    expect(textsOf(figure)).toEqual(expect.arrayContaining(['q/k norm', 'temp.']));
    expect((await figureOf(kind, { model: 'gemma_2_9b' })).readout({ layer: 0 })).toContain('scores soft-capped at 50');
  });

  it('shows scaling in the global layers of OLMo 3, rotation in the local layers of EXAONE 4, and no norm in Llama 4 Maverick', async () => {
    const olmo = await figureOf(kind, { model: 'olmo_3_7b' });
    expect(column(olmo, 3).slice(0, 5)).toEqual([4096, 4096, 4096, 0, 4096]);
    expect(column(olmo, 2).slice(0, 5)).toEqual([1, 1, 1, 8, 1]);
    const exaone = await figureOf(kind, { model: 'exaone_4_32b' });
    expect(column(exaone, 0).slice(0, 5)).toEqual([1, 1, 1, 0, 1]);
    expect(column(exaone, 3).slice(0, 5)).toEqual([4096, 4096, 4096, 0, 4096]);
    const llama = await figureOf(kind, { model: 'llama_4_maverick' });
    expect(column(llama, 4).slice(0, 5)).toEqual([8192, 8192, 8192, 0, 8192]);
    expect(column(llama, 8).slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(column(llama, 9).slice(0, 5)).toEqual([0, 0, 0, 1, 0]);
    expect([olmo, exaone, llama].map((figure) => figure.readout())).toEqual([
      'OLMo 3 7B: 3 of 4 layers see the last 4,096 tokens and every 4th sees all earlier tokens (low frequencies divided by 8, original length 8,192 tokens); RoPE with half-split pairs, base 500,000. Every layer has queries and keys normalised over all heads before the rotation.',
      'EXAONE 4.0 32B: 3 of 4 layers see the last 4,096 tokens and every 4th sees all earlier tokens without positions; RoPE with half-split pairs, base 1,000,000, low frequencies divided by 16, original length 8,192 tokens. Every layer has queries and keys normalised in each head before the rotation.',
      'Llama 4 Maverick: 3 of 4 layers see their own chunk of 8,192 tokens and every 4th sees all earlier tokens without positions; RoPE with interleaved pairs, base 500,000.',
    ]);
  });

  it('counts the types of layers without a repeating pattern', async () => {
    const types = ['full_attention', 'sliding_attention', 'sliding_attention', 'full_attention'];
    const figure = await figureOf(kind, {
      config: json({ model_type: 'gpt_oss', num_hidden_layers: 4, layer_types: types }),
      context: 1024,
    });
    expect(figure.readout()).toMatch(/^gpt_oss: 2 of 4 layers see all earlier tokens and the others see the last 128 tokens; RoPE /);
  });

  it('counts the types of many layers in irregular order', async () => {
    const types = Array.from({ length: 11 }, (_, layer) => (layer % 7 === 1 || layer % 5 === 2 ? 'full_attention' : 'sliding_attention'));
    const figure = await figureOf(kind, { config: json({ model_type: 'cohere2', num_hidden_layers: 11, layer_types: types }) });
    expect(figure.readout()).toBe(
      'cohere2: 7 of 11 layers see the last 4,096 tokens and the others see all earlier tokens without positions; RoPE with interleaved pairs, base 10,000.',
    );
  });

  it('limits the visible tokens to the context, and states an assumed context', async () => {
    const shortFigure = await figureOf(kind, { config: json(GEMMA3), context: 100 });
    expect(new Set(column(shortFigure, 5))).toEqual(new Set([100]));
    const { max_position_embeddings: _, ...openConfig } = GEMMA3;
    const assumedFigure = await figureOf(kind, { config: json(openConfig) });
    expect(assumedFigure.results.context).toBe(131072);
    expect(textsOf(assumedFigure, 2000).join(' ')).toContain('The file has no max_position_embeddings');
    expect(textsOf(await figureOf(kind, { config: json(GEMMA3) }), 2000).join(' ')).not.toContain('The file does not say');
    expect(kind.resolvedFields?.(assumedFigure.results, assumedFigure.spec as never)).toEqual({ context: 131072 });
  });

  it.each(MODEL_IDS)('agrees with the core and the config for %s', async (model) => {
    const figure = await figureOf(kind, { model });
    expect(figure.proof()).toMatchObject({ good: true, residual: 0 });
    const { config } = MODELS[model];
    const { num_hidden_layers } = ('text_config' in config ? config.text_config : config) as { num_hidden_layers: number };
    expect(figure.tables()[0]?.rows).toHaveLength(num_hidden_layers);
  });

  it('accepts layer types that a switch turns off, and rejects those of another family', async () => {
    const types = Array(4).fill('sliding_attention');
    const file = { model_type: 'qwen3', num_hidden_layers: 4, layer_types: types, use_sliding_window: false, sliding_window: 64 };
    expect((await figureOf(kind, { config: json(file) })).proof().good).toBe(true);
    // A missing switch is off, which contradicts the listed types.
    const { use_sliding_window: _, ...configWithoutUse } = file;
    expect((await figureOf(kind, { config: json(configWithoutUse) })).proof()).toMatchObject({ good: false, residual: 4 });
    await expect(figureOf(kind, { config: json({ ...LLAMA4, layer_types: Array(8).fill('sliding_attention') }) })).rejects.toThrow(
      /^layer_types: "sliding_attention" is not a type of this family/,
    );
  });

  it('finds the layer under the pointer and moves with the arrow keys, also with many layers', async () => {
    for (const fields of [{}, { model: 'gemma_3_27b' }, { config: json({ model_type: 'olmo2', num_hidden_layers: 100 }) }]) {
      const figure = await figureOf(kind, fields);
      for (const width of [900, 340]) expectAnswering(figure.scene(width), width);
      const scene = figure.scene();
      expect(scene.step({ layer: 3 }, 0, 1)).toEqual({ layer: 4 });
      expect(scene.step({ layer: 0 }, 0, -1)).toEqual({ layer: 0 });
      expect(scene.picture.height).toBeLessThan(760);
    }
  });

  it('accepts a config.json', () => {
    const file = JSON.parse(readFileSync('tests/golden-models/llama3/config.json', 'utf8'));
    expect(kind.accept?.({ name: 'config.json', json: file })).toEqual({ config: JSON.stringify(file) });
    expect(kind.accept?.({ name: 'list.json', json: [1] })).toBeUndefined();
  });

  it.each([
    [{ config: json({ model_type: 'foo', num_hidden_layers: 2 }) }, /^model_type: "foo" is not a family with known layers/],
    [{ config: json({ model_type: 'gpt_oss' }) }, /^num_hidden_layers: the key is missing/],
    [{ config: json({ model_type: 'gpt_oss', num_hidden_layers: 513 }) }, /^config: num_hidden_layers is 513; expected at most 512$/],
    [{ config: json({ model_type: 'gpt_oss', num_hidden_layers: 2, sliding_window: 0.5 }) }, /^sliding_window: 0\.5 is not a whole number/],
    [{ config: '{"model_type": ' }, /^config: is not JSON \(/],
    [{ config: '[]' }, /^config: is not a JSON object/],
    [{ config: ' '.repeat(1_000_001) }, /^config: is too long; expected at most 1,000,000 characters/],
    [{ model: 'gpt_2' }, /^model: “gpt_2” is not gpt_oss_20b, /],
    [{ context: -1 }, /^context: -1 is outside/],
  ])('rejects invalid fields with one sentence: case %#', async (input, sentence) => {
    await expect(figureOf(kind, input)).rejects.toThrow(sentence);
  });
});
