// The positions of a published model, whatever they are, read from its config.json in every engine; what cannot be read is refused.

import type { Tensor } from '../../web/engine/types.ts';
import { type Contract, check, close, refuses } from './contract-checks.ts';

export const modelCases: Contract = [
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
];
