// The positions of a published model of any kind, read from its config.json in every engine; unsupported files are rejected.

import type { Tensor } from '../../web/engine/types/api.ts';
import { assertClose, assertErrors, type Contract, check } from './contract-checks.ts';

export const modelCases: Contract = [
  [
    'reads the positions of any model and lists the keys it used',
    async (phasor) => {
      const opt = await phasor.encodingFromConfig({ model_type: 'opt', max_position_embeddings: 4, rope_scaling: null });
      const message = JSON.stringify(opt);
      check(
        message ===
          '{"encoding":{"id":"learned","max_length":6,"row_offset":2},"sourceKeys":{"model_type":"opt","max_position_embeddings":4},' +
            '"defaults":{},"positionIds":{"mode":"opt"}}',
        `OPT: ${message}`,
      );
      const { data } = await phasor.positionIds({ attentionMask: [0, 1, 1], ...opt.positionIds });
      check(data.join() === '-1,0,1', 'padding does not count');
      const m2m = await phasor.encodingFromConfig({ model_type: 'm2m_100' });
      check(m2m.positionOffset === 2 && m2m.defaults.pad_token_id === 1, `M2M100 begins behind its padding: ${JSON.stringify(m2m)}`);
      const ids = await phasor.positionIds({ attentionMask: [0, 1, 1], ...m2m.positionIds });
      const padded = await phasor.positionTable({ encoding: m2m.encoding, positions: ids.data, dim: 4 });
      const expected = await phasor.positionTable({ encoding: m2m.encoding, length: 2, positionOffset: m2m.positionOffset ?? 0, dim: 4 });
      check(
        padded.data.subarray(0, 4).every((x) => x === 0),
        'padding has zeros',
      );
      check(padded.data.subarray(4).join() === expected.data.join(), 'positions of a padded text include the offset');
      const t5 = await phasor.encodingFromConfig({ model_type: 't5' }, { stack: 'decoder' });
      check(t5.encoding.bidirectional === false && t5.scale === undefined, `the decoder of T5: ${JSON.stringify(t5)}`);
      check((await phasor.encodingFromConfig({ model_type: 'gpt_neo' })).scale === 1, 'GPT-Neo does not scale');
      const falcon = { model_type: 'falcon', alibi: true, num_attention_heads: 2, hidden_size: 8, rope_theta: 1e4 };
      const { encoding } = await phasor.encodingFromConfig(falcon);
      assertClose((encoding.slopes as Tensor).data[0], 1 / 32, 1e-9, 'slopes of Falcon are divided with the scores');
      const q = { shape: [2, 3, 4], data: new Float32Array(24).fill(1) };
      check((await phasor.attention({ q, k: q, v: q, encoding })).output.data[0] === 1, 'the encoding is valid in requests');
      const v2 = { model_type: 'deberta-v2', relative_attention: true, position_biased_input: false, pos_att_type: ['p2c', 'c2p'] };
      check((await phasor.encodingFromConfig(v2)).encoding.terms === 'c2p_p2c', 'a list of words');
      const config = { rope_theta: 1e4, rope_scaling: { type: 'dynamic', factor: 2 }, max_position_embeddings: 64 };
      const rope = await phasor.encodingFromConfig(config, { sequenceLength: 128 });
      const printedRope = JSON.stringify(await phasor.ropeFromConfig(config, { sequenceLength: 128 }));
      check(JSON.stringify(rope.encoding) === printedRope, 'rotary positions are those of ropeModel');
      check(rope.sourceKeys['rope_scaling.factor'] === 2, 'keys are listed by their paths');
      check(
        JSON.stringify(rope.assumed) === '{"layout":"half_split","direction":"positive","rotary_fraction":1,"layers":"all"}',
        `assumptions are listed: ${JSON.stringify(rope.assumed)}`,
      );
    },
  ],
  [
    'reads layers that differ one by one, and requires a layer if needed',
    async (phasor) => {
      const cohere = { model_type: 'cohere2', num_hidden_layers: 8 };
      const ids = await Promise.all(
        [...Array(8).keys()].map(async (layerIdx) => (await phasor.encodingFromConfig(cohere, { layerIdx })).encoding.id),
      );
      check(ids.join() === 'rope,rope,rope,none,rope,rope,rope,none', `layers of Command R7B are ${ids.join()}`);
      const { encoding } = await phasor.encodingFromConfig(cohere, { layerType: 'full_attention' });
      check(encoding.id === 'none', 'full attention has no position');
      const types = { ...cohere, layer_types: ['full_attention', 'sliding_attention'] };
      check((await phasor.encodingFromConfig(types, { layerIdx: 0 })).encoding.id === 'none', 'layer_types is a list of words');
      check((await phasor.ropeFromConfig(cohere, { layerIdx: 2 })).layout === 'interleaved', 'ropeModel takes the number of a layer too');
      // null differs from a missing key: EXAONE 4.0 1.2B has no window, and rotates in all layers.
      const exaone = { model_type: 'exaone4', layer_types: ['full_attention', 'full_attention'] };
      check(
        (await phasor.encodingFromConfig({ ...exaone, sliding_window: null })).encoding.id === 'rope',
        'all layers rotate without a window',
      );
      check((await phasor.encodingFromConfig(exaone)).encoding.id === 'none', 'no layer rotates with the window of the family');
      check(
        (await phasor.encodingFromConfig({ model_type: 'llama4_text', no_rope_layers: [] }, { layerIdx: 3 })).encoding.id === 'none',
        'every fourth',
      );
      await assertErrors([
        [
          () => phasor.encodingFromConfig(cohere),
          'invalid_argument',
          /^layerType: is required, because layers differ; expected one of full_attention, sliding_attention$/,
        ],
        [
          () => phasor.encodingFromConfig({ model_type: 'smollm3', num_hidden_layers: 36 }),
          'invalid_argument',
          /^layerIdx: is required, because layers differ; expected 0 to 35$/,
        ],
        [
          () => phasor.encodingFromConfig(cohere, { layerIdx: 8 }),
          'invalid_argument',
          /^layerIdx: 8 is not a layer index; expected 0 to 7$/,
        ],
        [() => phasor.ropeFromConfig(cohere, { layerIdx: 3 }), 'invalid_argument', /^layerIdx: layer 3 does not rotate queries and keys$/],
      ]);
    },
  ],
  [
    'lists all layers with the options of their attention',
    async (phasor) => {
      const { layers } = await phasor.layersFromConfig({ model_type: 'gemma3_text', num_hidden_layers: 7, sliding_window: 512 });
      check(layers.map(({ window }) => window ?? 0).join() === '512,512,512,512,512,0,512', 'every sixth has no window');
      check(layers[5]?.encoding?.base === 1e6 && layers[6]?.encoding?.base === 1e4, 'two bases');
      check(
        JSON.stringify(layers[5]?.qkNorm) ===
          '{"norm":"rms","over":"head","weightForm":"one_plus","order":"before_encoding","eps":0.000001}',
        `the norm is ${JSON.stringify(layers[5]?.qkNorm)}`,
      );
      const oss = await phasor.layersFromConfig({ model_type: 'gpt_oss', num_hidden_layers: 2 });
      check(oss.layers[0]?.sinks === true && oss.layers[1]?.window === undefined, `gpt-oss: ${JSON.stringify(oss.layers[1])}`);
      const llama = await phasor.layersFromConfig({ model_type: 'llama4_text', num_hidden_layers: 4 });
      check(llama.layers[0]?.chunk === 8192 && llama.layers[3]?.temperature?.attnScale === 0.1, 'chunks and a temperature');
      check((await phasor.layersFromConfig({ model_type: 'gemma2', num_hidden_layers: 1 })).layers[0]?.softcap === 50, 'a soft cap');
      const next = await phasor.layersFromConfig({ model_type: 'qwen3_next', num_hidden_layers: 4 });
      check(next.layers[0]?.type === 'linear_attention' && next.layers[0].encoding === undefined, 'a layer without attention');
      check(next.layers[3]?.encoding?.rotary_fraction === 0.25, 'a layer with attention');
      const modern = await phasor.layersFromConfig({ model_type: 'modernbert', num_hidden_layers: 2 });
      check(modern.layers[1]?.window === 65 && modern.layers[1].windowAhead === 64, 'a window on either side');
      check(modern.layers[0]?.causal === false, 'later keys are seen');
      const bart = await phasor.layersFromConfig({ model_type: 'bart', encoder_layers: 1, decoder_layers: 1 });
      check(bart.layers.map(({ stack }) => stack).join() === 'encoder,decoder', 'stacks in order');
      await assertErrors([
        [
          () => phasor.layersFromConfig({ model_type: 'foo', num_hidden_layers: 2 }),
          'unknown_name',
          /^model_type: "foo" is not a family with known layers/,
        ],
        [
          () => phasor.encodingFromConfig({ model_type: 'lfm2', num_hidden_layers: 4, full_attn_idxs: [2] }, { layerIdx: 0 }),
          'invalid_argument',
          /^layerIdx: layer 0 is conv, which has no queries or keys$/,
        ],
        [() => phasor.layersFromConfig({ model_type: 'gpt_oss' }), 'invalid_argument', /^num_hidden_layers: the key is missing/],
      ]);
    },
  ],
  [
    'reads an unlisted family only if its keys are understood',
    async (phasor) => {
      const foo = { model_type: 'foo', rope_theta: 1e4 };
      check((await phasor.encodingFromConfig(foo)).assumed?.layout === 'half_split', 'the assumed layout is listed');
      await assertErrors([
        [
          () => phasor.encodingFromConfig({ ...foo, rope_ratio: 2 }),
          'invalid_argument',
          /^rope_ratio: 2 has no known meaning for model_type "foo", which is not listed/,
        ],
        [
          () => phasor.encodingFromConfig({ ...foo, layer_types: ['full_attention', 'other'] }),
          'invalid_argument',
          /^layer_types: "full_attention, other" has no known meaning/,
        ],
        [
          () => phasor.ropeFromConfig(foo),
          'invalid_argument',
          /^model_type: "foo" is not known to have rotary positions; call encodingFromConfig, which lists/,
        ],
      ]);
    },
  ],
  [
    'rejects a model whose positions it cannot read with one sentence',
    (phasor) =>
      assertErrors([
        [() => phasor.encodingFromConfig({}), 'invalid_argument', /^model_type: the key is missing/],
        [() => phasor.encodingFromConfig([]), 'invalid_argument', /^config: a list of 0 numbers is not an object/],
        [() => phasor.encodingFromConfig('config.json' as never), 'invalid_argument', /^config: "config\.json" is not an object/],
        [() => phasor.encodingFromConfig({ model_type: 'foo' }), 'invalid_argument', /^model_type: "foo" is not known/],
        [() => phasor.encodingFromConfig({ model_type: 7 }), 'invalid_argument', /^model_type: 7 is not a string/],
        [
          () => phasor.encodingFromConfig({ model_type: 'mamba' }),
          'invalid_argument',
          /^model_type: "mamba" has neither attention nor positions/,
        ],
        [() => phasor.encodingFromConfig({ model_type: 'bloom', rope_theta: 1e4 }), 'invalid_argument', /^rope_theta: 10000 contradicts/],
        [
          () => phasor.encodingFromConfig({ model_type: 'bert', position_embedding_type: 'relative_key_query' }),
          'invalid_argument',
          /^position_embedding_type: "relative_key_query" contradicts model_type/,
        ],
        [
          () => phasor.encodingFromConfig({ model_type: 't5' }),
          'invalid_argument',
          /^stack: is required, because layers differ; expected one of encoder, decoder$/,
        ],
        [() => phasor.encodingFromConfig({ model_type: 't5' }, { stack: 'both' as never }), 'unknown_name', /^stack: "both" is unknown/],
        [
          () => phasor.encodingFromConfig({ model_type: 'gpt2', scale_attn_by_inverse_layer_idx: true }),
          'invalid_argument',
          /^layerIdx: is required, because layers differ; expected 0, 1, 2 \.\.\.$/,
        ],
        [
          () => phasor.encodingFromConfig({ model_type: 'opt', max_position_embeddings: '2048' }),
          'invalid_argument',
          /^max_position_embeddings: "2048" is not a number/,
        ],
        [
          () => phasor.encodingFromConfig({ text_config: { model_type: 't5', relative_attention_num_buckets: 1 } }, { stack: 'encoder' }),
          'invalid_argument',
          /^text_config\.relative_attention_num_buckets: 1 is outside 2 to/,
        ],
        [() => phasor.encodingFromConfig({ model_type: 'gpt2' }, { layerIdx: 0.5 }), 'invalid_argument', /^layerIdx: 0\.5 is not/],
      ]),
  ],
];
