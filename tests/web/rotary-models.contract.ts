// The rotary encoding and frequencies of a published model, read from its config.json in every engine; invalid input is rejected.

import type { Tensor } from '../../web/engine/types/api.ts';
import { assertClose, assertErrors, type Contract, check } from './contract-checks.ts';

export const rotaryModelCases: Contract = [
  [
    'reads the rotary encoding of a model and computes its frequencies',
    async (phasor) => {
      const llama = {
        architectures: ['LlamaForCausalLM'],
        attention_bias: false,
        bos_token_id: null,
        rope_theta: 500000,
        max_position_embeddings: 131072,
        rope_scaling: { factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192, rope_type: 'llama3' },
      };
      const encoding = await phasor.ropeFromConfig(llama);
      check(encoding.id === 'rope' && encoding.base === 500000 && encoding.layout === 'half_split', `it is ${JSON.stringify(encoding)}`);
      check(encoding.scaling === 'llama3' && encoding.factor === 8 && encoding.original_length === 8192, 'with its scaling');
      const { invFreq, attentionFactor } = await phasor.ropeFrequencies({ encoding, dim: 128 });
      check(invFreq.shape.join() === '64' && attentionFactor === 1, `there are ${invFreq.shape.join()} pairs`);
      assertClose(invFreq.data[1], 500000 ** (-2 / 128), 1e-7, 'fast pairs keep their frequency');
      assertClose((invFreq.data[63] ?? 0) * 1e6, (500000 ** (-126 / 128) / 8) * 1e6, 1e-6, 'the slowest is slowed by the factor');
      const q = { shape: [1, 2, 128], data: new Float32Array(256).fill(1) };
      check((await phasor.attention({ q, k: q, v: q, encoding })).output.data[0] === 1, 'what was read is an encoding as requests take it');

      const yarn = await phasor.ropeFromConfig({ rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32768 });
      const yarnFrequencies = await phasor.ropeFrequencies({ encoding: yarn, dim: 128 });
      assertClose(yarnFrequencies.attentionFactor, 0.1 * Math.log(4) + 1, 1e-12, 'the attention factor of YaRN');
      const gemma = {
        rope_parameters: {
          full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1e6 },
          sliding_attention: { rope_type: 'default', rope_theta: 1e4 },
        },
      };
      check((await phasor.ropeFromConfig(gemma, { layerType: 'sliding_attention' })).base === 1e4, 'layers may differ');
      const phi = {
        original_max_position_embeddings: 4096,
        max_position_embeddings: 131072,
        rope_scaling: { type: 'longrope', short_factor: [1, 1.5], long_factor: [2, 64] },
      };
      const longRope = await phasor.ropeFromConfig(phi, { sequenceLength: 8192 });
      assertClose(
        (await phasor.ropeFrequencies({ encoding: longRope, dim: 4 })).invFreq.data[1],
        0.01 / 64,
        1e-7,
        'a factor for each pair',
      );
      const qwen = await phasor.ropeFromConfig({ rope_scaling: { type: 'mrope', mrope_section: [16, 24, 24] } });
      check(qwen.id === 'mrope' && (qwen.sections as Tensor).data.join() === '16,24,24', 'sections make it mrope');
    },
  ],
  [
    'reads models of several families, with the defaults of the family for absent keys',
    async (phasor) => {
      const expected: [object, object][] = [
        [
          {
            model_type: 'llama',
            hidden_size: 24,
            num_attention_heads: 3,
            rope_scaling: { factor: 4, rope_type: 'linear', type: 'linear' },
          },
          { base: 10000, scaling: 'linear', factor: 4, layout: 'half_split' },
        ],
        [
          {
            model_type: 'llama',
            head_dim: 8,
            pad_token_id: null,
            rope_parameters: { factor: 2.5, rope_theta: 20000, rope_type: 'linear' },
          },
          { base: 20000, scaling: 'linear', factor: 2.5 },
        ],
        [
          { model_type: 'llama', rope_scaling: null, rope_theta: 500000 },
          { base: 500000, scaling: 'none' },
        ],
        [
          { model_type: 'gpt_neox', rotary_emb_base: 2500, rotary_pct: 0.25 },
          { base: 2500, rotary_fraction: 0.25, layout: 'half_split' },
        ],
        [
          { model_type: 'gpt_neox', hidden_size: 32 },
          { base: 10000, rotary_fraction: 0.25 },
        ],
        [
          { model_type: 'gptj', n_embd: 24, n_head: 2, rotary_dim: 4 },
          { base: 10000, rotary_dim: 4, layout: 'interleaved' },
        ],
        [
          { model_type: 'qwen2', rope_theta: 1e6 },
          { base: 1e6, scaling: 'none', layout: 'half_split' },
        ],
      ];
      for (const [config, encoding] of expected) {
        const read = await phasor.ropeFromConfig(config);
        for (const [name, value] of Object.entries(encoding)) {
          check(
            read[name] === value,
            `${name} of ${JSON.stringify(config)} is ${JSON.stringify(read[name])}, not ${JSON.stringify(value)}`,
          );
        }
      }
    },
  ],
  [
    'rejects invalid configurations and frequency requests',
    (phasor) =>
      assertErrors([
        [() => phasor.ropeFromConfig({}), 'invalid_argument', /^rope_parameters: the key is missing/],
        [() => phasor.ropeFromConfig([]), 'invalid_argument', /^config: a list of 0 numbers is not an object/],
        [() => phasor.ropeFrequencies({ encoding: 'xpos', dim: 4 }), 'invalid_argument', /^encoding: xpos does not scale frequencies/],
        [() => phasor.ropeFrequencies({ encoding: 'alibi', dim: 4 }), 'invalid_argument', /^encoding: alibi has no frequencies/],
        [
          () => phasor.ropeFrequencies({ encoding: { id: 'rope', factor: 0.5 }, dim: 4 }),
          'invalid_argument',
          /^factor: 0.5 is outside 1 to/,
        ],
        [() => phasor.ropeFromConfig({ rope_scaling: { factor: 2 } }), 'invalid_argument', /^rope_scaling\.rope_type: the key is missing/],
        [
          () => phasor.ropeFromConfig({ rope_scaling: { type: 'linear' } }),
          'invalid_argument',
          /^rope_scaling\.factor: the key is missing; linear/,
        ],
        [
          () => phasor.ropeFromConfig({ rope_scaling: { type: 'linear', factor: '2' } }),
          'invalid_argument',
          /^rope_scaling\.factor: "2" is not a number/,
        ],
        [
          () => phasor.ropeFromConfig({ rope_scaling: { type: 'linear', factor: 2, beta: [1] } }),
          'unknown_name',
          /^rope_scaling\.beta: linear does not use this key, whose value is a list of 1 numbers/,
        ],
        [
          () => phasor.ropeFromConfig({ rope_scaling: { type: 'longrope', short_factor: ['a'], long_factor: [1] } }),
          'invalid_argument',
          /^rope_scaling\.short_factor: "a" is not a list of numbers/,
        ],
        [() => phasor.ropeFromConfig({ rope_scaling: 'linear' }), 'invalid_argument', /^rope_scaling: "linear" is not an object/],
        [
          () => phasor.ropeFromConfig({ rope_parameters: { full: { rope_type: 'default' } } }),
          'invalid_argument',
          /^layerType: is required, because layers differ; expected one of full/,
        ],
        [
          () => phasor.ropeFromConfig({ rope_parameters: { full: { rope_type: 'default' } } }, { layerType: 'window' }),
          'unknown_name',
          /^layerType: "window" is unknown/,
        ],
        [
          () => phasor.ropeFromConfig({ model_type: 'foo' }),
          'invalid_argument',
          /^model_type: "foo" is not known to have rotary positions/,
        ],
        [() => phasor.ropeFromConfig({ rope_theta: Number.NaN }), 'invalid_argument', /^rope_theta: NaN is outside 1\.001 to/],
        [() => phasor.ropeFromConfig({ text_config: { rope_theta: -5 } }), 'invalid_argument', /^text_config\.rope_theta: -5 is outside/],
        [
          () => phasor.ropeFromConfig({ rope_theta: 1e4 }, { sequenceLength: -1 }),
          'invalid_argument',
          /^sequenceLength: -1 is outside 0 to/,
        ],
        [
          () => phasor.ropeFromConfig({ rope_theta: 1e4 }, { sequenceLength: 0.5 }),
          'invalid_argument',
          /^sequenceLength: 0\.5 is not a whole/,
        ],
        [() => phasor.ropeFromConfig('config.json' as never), 'invalid_argument', /^config: "config\.json" is not an object/],
      ]),
  ],
  [
    'reads the layers of a vision tower with windows of patches',
    async (phasor) => {
      const tower = await phasor.layersFromConfig({ model_type: 'qwen2_5_vl_vision', depth: 8, hidden_size: 1280, num_heads: 16 });
      check(tower.layers.map(({ patchWindow }) => patchWindow).join() === '8,8,8,8,8,8,8,', 'windows of patches');
      check(tower.layers[7]?.encoding?.id === 'rope_2d' && tower.layers[7].causal === false, 'a layer that sees all');
    },
  ],
];
