// Reading the config.json of a published model, in every engine, and rejecting what is invalid in it.

import type { Tensor } from '../../web/engine/types.ts';
import { type Contract, check, close, refuses } from './contract-checks.ts';

export const modelCases: Contract = [
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
      const encoding = await phasor.ropeModel(llama);
      check(encoding.id === 'rope' && encoding.base === 500000 && encoding.layout === 'half_split', `it is ${JSON.stringify(encoding)}`);
      check(encoding.scaling === 'llama3' && encoding.factor === 8 && encoding.original_length === 8192, 'with its scaling');
      const { invFreq, attentionFactor } = await phasor.ropeFrequencies({ encoding, width: 128 });
      check(invFreq.shape.join() === '64' && attentionFactor === 1, `there are ${invFreq.shape.join()} pairs`);
      close(invFreq.data[1], 500000 ** (-2 / 128), 1e-7, 'fast pairs keep their frequency');
      close((invFreq.data[63] ?? 0) * 1e6, (500000 ** (-126 / 128) / 8) * 1e6, 1e-6, 'the slowest is slowed by the factor');
      const q = { shape: [1, 2, 128], data: new Float32Array(256).fill(1) };
      check((await phasor.attention({ q, k: q, v: q, encoding })).output.data[0] === 1, 'what was read is an encoding as requests take it');

      const yarn = await phasor.ropeModel({ rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32768 });
      const stretched = await phasor.ropeFrequencies({ encoding: yarn, width: 128 });
      close(stretched.attentionFactor, 0.1 * Math.log(4) + 1, 1e-12, 'the attention factor of YaRN');
      const gemma = {
        rope_parameters: {
          full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1e6 },
          sliding_attention: { rope_type: 'default', rope_theta: 1e4 },
        },
      };
      check((await phasor.ropeModel(gemma, { layerType: 'sliding_attention' })).base === 1e4, 'layers may differ');
      const phi = {
        original_max_position_embeddings: 4096,
        max_position_embeddings: 131072,
        rope_scaling: { type: 'longrope', short_factor: [1, 1.5], long_factor: [2, 64] },
      };
      const long = await phasor.ropeModel(phi, { sequenceLength: 8192 });
      close((await phasor.ropeFrequencies({ encoding: long, width: 4 })).invFreq.data[1], 0.01 / 64, 1e-7, 'a factor for each pair');
      const qwen = await phasor.ropeModel({ rope_scaling: { type: 'mrope', mrope_section: [16, 24, 24] } });
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
          { base: 10000, rotary_width: 4, layout: 'interleaved' },
        ],
        [
          { model_type: 'qwen2', rope_theta: 1e6 },
          { base: 1e6, scaling: 'none', layout: 'half_split' },
        ],
      ];
      for (const [config, encoding] of expected) {
        const read = await phasor.ropeModel(config);
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
    'reads the positions of a model, whatever they are, and tells which keys say so',
    async (phasor) => {
      const opt = await phasor.modelEncoding({ model_type: 'opt', max_position_embeddings: 4, rope_scaling: null });
      const said = JSON.stringify(opt);
      check(
        said ===
          '{"encoding":{"id":"learned","max_length":6,"row_offset":2},"because":{"model_type":"opt","max_position_embeddings":4},' +
            '"defaults":{},"positionIds":{"mode":"opt"}}',
        `OPT: ${said}`,
      );
      const { data } = await phasor.positionIds({ attentionMask: [0, 1, 1], ...opt.positionIds });
      check(data.join() === '-1,0,1', 'padding does not count');
      const m2m = await phasor.modelEncoding({ model_type: 'm2m_100' });
      check(m2m.offset === 2 && m2m.defaults.pad_token_id === 1, `M2M100 begins behind its padding: ${JSON.stringify(m2m)}`);
      const ids = await phasor.positionIds({ attentionMask: [0, 1, 1], ...m2m.positionIds });
      const padded = await phasor.table({ encoding: m2m.encoding, positions: ids.data, width: 4 });
      const whole = await phasor.table({ encoding: m2m.encoding, length: 2, offset: m2m.offset ?? 0, width: 4 });
      check(
        padded.data.subarray(0, 4).every((x) => x === 0),
        'padding has zeros',
      );
      check(padded.data.subarray(4).join() === whole.data.join(), 'positions of a padded text include the offset');
      const t5 = await phasor.modelEncoding({ model_type: 't5' }, { stack: 'decoder' });
      check(t5.encoding.bidirectional === false && t5.scale === undefined, `the decoder of T5: ${JSON.stringify(t5)}`);
      check((await phasor.modelEncoding({ model_type: 'gpt_neo' })).scale === 1, 'GPT-Neo does not scale');
      const falcon = { model_type: 'falcon', alibi: true, num_attention_heads: 2, hidden_size: 8, rope_theta: 1e4 };
      const { encoding } = await phasor.modelEncoding(falcon);
      close((encoding.slopes as Tensor).data[0], 1 / 32, 1e-9, 'slopes of Falcon are divided with the scores');
      const q = { shape: [2, 3, 4], data: new Float32Array(24).fill(1) };
      check((await phasor.attention({ q, k: q, v: q, encoding })).output.data[0] === 1, 'what was read is an encoding as requests take it');
      const v2 = { model_type: 'deberta-v2', relative_attention: true, position_biased_input: false, pos_att_type: ['p2c', 'c2p'] };
      check((await phasor.modelEncoding(v2)).encoding.terms === 'c2p_p2c', 'a list of words');
      const config = { rope_theta: 1e4, rope_scaling: { type: 'dynamic', factor: 2 }, max_position_embeddings: 64 };
      const rope = await phasor.modelEncoding(config, { sequenceLength: 128 });
      const same = JSON.stringify(await phasor.ropeModel(config, { sequenceLength: 128 }));
      check(JSON.stringify(rope.encoding) === same, 'rotary positions are those of ropeModel');
      check(rope.because['rope_scaling.factor'] === 2, 'keys are told by their paths');
    },
  ],
  [
    'refuses a model whose positions it cannot read, with one sentence',
    (phasor) =>
      refuses([
        [() => phasor.modelEncoding({}), 'invalid_argument', /^model_type: the key is missing/],
        [() => phasor.modelEncoding([]), 'invalid_argument', /^config: a list of 0 numbers is not an object/],
        [() => phasor.modelEncoding('config.json' as never), 'invalid_argument', /^config: "config\.json" is not an object/],
        [() => phasor.modelEncoding({ model_type: 'foo' }), 'invalid_argument', /^model_type: "foo" is not known/],
        [() => phasor.modelEncoding({ model_type: 7 }), 'invalid_argument', /^model_type: 7 is not a text/],
        [() => phasor.modelEncoding({ model_type: 'mamba' }), 'invalid_argument', /^model_type: "mamba" has no attention/],
        [
          () => phasor.modelEncoding({ model_type: 'bloom', rope_theta: 1e4 }),
          'invalid_argument',
          /^rope_theta: 10000; a model has one kind of positions/,
        ],
        [
          () => phasor.modelEncoding({ model_type: 'bert', position_embedding_type: 'relative_key_query' }),
          'invalid_argument',
          /^position_embedding_type: "relative_key_query"; a model has one kind/,
        ],
        [
          () => phasor.modelEncoding({ model_type: 't5' }),
          'invalid_argument',
          /^stack: it is not given, but layers differ; there are encoder, decoder$/,
        ],
        [() => phasor.modelEncoding({ model_type: 't5' }, { stack: 'both' as never }), 'unknown_name', /^stack: "both" is unknown/],
        [
          () => phasor.modelEncoding({ model_type: 'gpt2', scale_attn_by_inverse_layer_idx: true }),
          'invalid_argument',
          /^scale_attn_by_inverse_layer_idx: true, which needs layerIdx$/,
        ],
        [
          () => phasor.modelEncoding({ model_type: 'opt', max_position_embeddings: '2048' }),
          'invalid_argument',
          /^max_position_embeddings: "2048" is not a number/,
        ],
        [
          () => phasor.modelEncoding({ text_config: { model_type: 't5', relative_attention_num_buckets: 1 } }, { stack: 'encoder' }),
          'invalid_argument',
          /^text_config\.relative_attention_num_buckets: 1 is outside 2 to/,
        ],
        [() => phasor.modelEncoding({ model_type: 'gpt2' }, { layerIdx: 0.5 }), 'invalid_argument', /^layerIdx: 0\.5 is not/],
      ]),
  ],
  [
    'rejects invalid models and frequencies in one sentence',
    (phasor) =>
      refuses([
        [() => phasor.ropeModel({}), 'invalid_argument', /^rope_parameters: the key is missing/],
        [() => phasor.ropeModel([]), 'invalid_argument', /^config: a list of 0 numbers is not an object/],
        [() => phasor.ropeFrequencies({ encoding: 'xpos', width: 4 }), 'invalid_argument', /^encoding: xpos has no scaling of frequencies/],
        [() => phasor.ropeFrequencies({ encoding: 'alibi', width: 4 }), 'invalid_argument', /^encoding: alibi has no frequencies/],
        [
          () => phasor.ropeFrequencies({ encoding: { id: 'rope', factor: 0.5 }, width: 4 }),
          'invalid_argument',
          /^factor: 0.5 is outside 1 to/,
        ],
        [() => phasor.ropeModel({ rope_scaling: { factor: 2 } }), 'invalid_argument', /^rope_scaling\.rope_type: the key is missing/],
        [
          () => phasor.ropeModel({ rope_scaling: { type: 'linear' } }),
          'invalid_argument',
          /^rope_scaling\.factor: the key is missing; linear/,
        ],
        [
          () => phasor.ropeModel({ rope_scaling: { type: 'linear', factor: '2' } }),
          'invalid_argument',
          /^rope_scaling\.factor: "2" is not a number/,
        ],
        [
          () => phasor.ropeModel({ rope_scaling: { type: 'linear', factor: 2, beta: [1] } }),
          'unknown_name',
          /^rope_scaling\.beta: linear has no such key, here a list of 1 numbers/,
        ],
        [
          () => phasor.ropeModel({ rope_scaling: { type: 'longrope', short_factor: ['a'], long_factor: [1] } }),
          'invalid_argument',
          /^rope_scaling\.short_factor: "a" is not a list of numbers/,
        ],
        [() => phasor.ropeModel({ rope_scaling: 'linear' }), 'invalid_argument', /^rope_scaling: "linear" is not an object/],
        [
          () => phasor.ropeModel({ rope_parameters: { full: { rope_type: 'default' } } }),
          'invalid_argument',
          /^layerType: it is not given, but layers differ; there are full/,
        ],
        [
          () => phasor.ropeModel({ rope_parameters: { full: { rope_type: 'default' } } }, { layerType: 'window' }),
          'unknown_name',
          /^layerType: "window" is unknown/,
        ],
        [() => phasor.ropeModel({ model_type: 'foo' }), 'invalid_argument', /^model_type: "foo" is not known to have rotary positions/],
        [() => phasor.ropeModel({ rope_theta: Number.NaN }), 'invalid_argument', /^rope_theta: NaN is outside 1\.001 to/],
        [() => phasor.ropeModel({ text_config: { rope_theta: -5 } }), 'invalid_argument', /^text_config\.rope_theta: -5 is outside/],
        [() => phasor.ropeModel({ rope_theta: 1e4 }, { sequenceLength: -1 }), 'invalid_argument', /^sequenceLength: -1 is outside 0 to/],
        [() => phasor.ropeModel({ rope_theta: 1e4 }, { sequenceLength: 0.5 }), 'invalid_argument', /^sequenceLength: 0\.5 is not a whole/],
        [() => phasor.ropeModel('config.json' as never), 'invalid_argument', /^config: "config\.json" is not an object/],
      ]),
  ],
];
