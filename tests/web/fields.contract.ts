// The fields of requests and their types: misspelt names and values of the wrong type are never silently accepted.

import { permutationTest, similarity } from '../../web/engine/analysis.ts';
import { assertErrors, type Contract, check } from './contract-checks.ts';
import { tensor } from './every-request.ts';

export const fieldCases: Contract = [
  [
    'rejects unknown fields and suggests a similar name',
    async (phasor) => {
      const q = tensor(1, 2, 2);
      const x = tensor(2, 2);
      const largeTensor = tensor(4, 600, 32);
      const attention = (options: object) => () => phasor.attention({ q, k: q, v: q, ...options });
      const unknown = (path: string, method: string, meant?: string) =>
        new RegExp(`^${path} is not a field of ${method}${meant ? `; did you mean ${meant}\\?` : ''}$`);
      await assertErrors([
        [attention({ maks: 'causal' }), 'unknown_name', unknown('maks', 'attention', 'mask')],
        [
          () => phasor.attention({ q: largeTensor, k: largeTensor, v: largeTensor, maks: 'causal' } as never),
          'unknown_name',
          unknown('maks', 'attention', 'mask'),
        ],
        [attention({ key_mask: [1, 1] }), 'unknown_name', unknown('key_mask', 'attention', 'keyMask')],
        [attention({ image: true }), 'unknown_name', unknown('image', 'attention')],
        [
          attention({ pooling: { szie: 2 }, outputs: ['pooledWeights'] }),
          'unknown_name',
          unknown('pooling\\.szie', 'attention', 'pooling\\.size'),
        ],
        [attention({ q: { shpae: [1, 2, 2], data: q.data } }), 'unknown_name', unknown('q\\.shpae', 'attention', 'q\\.shape')],
        [attention({ q: { ...q, stride: [1] } }), 'unknown_name', unknown('q\\.stride', 'attention')],
        [
          attention({ encoding: { id: 't5', table: { ...tensor(32, 1), rows: 3 } } }),
          'unknown_name',
          unknown('encoding\\.table\\.rows', 'attention'),
        ],
        [attention({ encoding: { id: 'rope', bass: 3 } }), 'unknown_name', /^bass: is not a parameter of rope/],
        [() => phasor.selfAttention({ x, haeds: 1 } as never), 'unknown_name', unknown('haeds', 'selfAttention', 'heads')],
        [() => phasor.selfAttention({ x, heads: 1, keyMask: [1, 1] } as never), 'unknown_name', unknown('keyMask', 'selfAttention')],
        [() => phasor.selfAttention({ x, heads: 1, map: {} } as never), 'unknown_name', unknown('map', 'selfAttention')],
        [
          () => permutationTest(phasor, { x, heads: 1, order: [0, 1], sead: 1 } as never),
          'unknown_name',
          unknown('sead', 'permutationTest', 'seed'),
        ],
        [
          () => phasor.attentionBackward({ q, k: q, v: q, dOutput: q, outputs: ['weights'] } as never),
          'unknown_name',
          unknown('outputs', 'attentionBackward'),
        ],
        [
          () => phasor.attentionBackward({ q, k: q, v: q, dOutput: q, map: {} } as never),
          'unknown_name',
          unknown('map', 'attentionBackward'),
        ],
        [
          () => phasor.selfAttentionBackward({ x, heads: 1, dOutput: x, head: 0 } as never),
          'unknown_name',
          unknown('head', 'selfAttentionBackward'),
        ],
        [() => phasor.randomNormal({ seed: 1, shape: [1], mean: 0 } as never), 'unknown_name', unknown('mean', 'randomNormal')],
        [() => similarity(phasor, { table: x, Metric: 'dot' } as never), 'unknown_name', unknown('Metric', 'similarity', 'metric')],
        [
          () => phasor.createCache({ heads: 1, headDim: 2, maxLength: 2, mask: 'causal' } as never),
          'unknown_name',
          unknown('mask', 'createCache'),
        ],
        [() => phasor.positionIds({ attentionMask: [1], how: 'opt' } as never), 'unknown_name', unknown('how', 'positionIds')],
        [
          () => phasor.positionIds({ attention_mask: [1] } as never),
          'unknown_name',
          unknown('attention_mask', 'positionIds', 'attentionMask'),
        ],
        [() => phasor.combine({ x, table: x, how: 'add' } as never), 'unknown_name', unknown('how', 'combine')],
        [
          () => phasor.ropeFromConfig({ rope_theta: 1 }, { sequence_length: 3 } as never),
          'unknown_name',
          unknown('sequence_length', 'ropeFromConfig', 'sequenceLength'),
        ],
        [
          () => phasor.encodingFromConfig({ model_type: 'gpt2' }, { layer_idx: 3 } as never),
          'unknown_name',
          unknown('layer_idx', 'encodingFromConfig', 'layerIdx'),
        ],
        [
          () => phasor.ropeFrequencies({ encoding: 'rope', dim: 4, base: 3 } as never),
          'unknown_name',
          /^base is not a field of ropeFrequencies; parameters belong in the encoding/,
        ],
        [
          () => phasor.positionTable({ encoding: 'sinusoidal', length: 1, dim: 4, positions: [1] }),
          'invalid_argument',
          /^length: cannot be combined with positions/,
        ],
        [
          () => phasor.positionTable({ encoding: 'sinusoidal', positionOffset: 1, dim: 4, positions: [1] }),
          'invalid_argument',
          /^positionOffset: cannot be combined with positions/,
        ],
        [() => phasor.applyRotary(q, { encoding: 'rope', x: q } as never), 'invalid_argument', /^x: occurs twice/],
      ]);
      check(
        'output' in (await attention({ mask: undefined, pooling: null, maks: undefined })()),
        'undefined and null are treated as absent',
      );
    },
  ],
  [
    'does not interpret a name with a dot as a path',
    async (phasor) => {
      const q = tensor(1, 2, 2);
      await assertErrors([
        [
          () => phasor.attention({ 'q.shape': q.shape, 'q.data': q.data, k: q, v: q } as never),
          'invalid_argument',
          /^q: undefined is not a tensor/,
        ],
        [
          () => phasor.attention({ q, k: q, v: q, pooling: {}, 'pooling.size': 2 } as never),
          'unknown_name',
          /^pooling\\\.size is not a field of attention/,
        ],
        [() => phasor.attention({ q, k: q, v: q, 'encoding.id': 'rope' } as never), 'unknown_name', /^encoding\\\.id is not a field/],
      ]);
      const dotted = { model_type: 'llama', 'rope_scaling.type': 'linear', 'rope_scaling.factor': 2, rope_theta: 7, hidden_size: 8 };
      const { base, scaling } = await phasor.ropeFromConfig(dotted);
      check(base === 7 && scaling !== 'linear', 'a key of a file with a dot is only a key');
    },
  ],
  [
    'distinguishes strings, flags and numbers',
    async (phasor) => {
      const q = tensor(1, 3, 2);
      const attention = (options: object) => () => phasor.attention({ q, k: q, v: q, ...options });
      const attentionMask = (list: unknown) => () => phasor.positionIds({ attentionMask: list as never });
      const words = /is not a list of weights, scores, bias, pooledWeights, sinkWeights$/;
      await assertErrors([
        [attention({ outputs: ['weights,scores'] }), 'invalid_argument', words],
        [attention({ outputs: ['weights', 'image'] }), 'invalid_argument', /^outputs: weights, image is not a list of/],
        [attention({ outputs: 'weights' }), 'invalid_argument', words],
        [attention({ outputs: ['weights', 1] }), 'invalid_argument', words],
        [attention({ outputs: [['weights']] }), 'invalid_argument', words],
        [attention({ keyMask: [0, 1, Number.NaN] }), 'invalid_argument', /^keyMask\[2\]: NaN is not 0, 1, true or false$/],
        [
          attention({ keyMask: new Float32Array([0, 0, -1e9]) }),
          'invalid_argument',
          /^keyMask\[2\]: -1000000000 is not 0, 1, true or false$/,
        ],
        [attention({ keyMask: [0.5, 1, 1] }), 'invalid_argument', /^keyMask\[0\]: 0.5 is not 0, 1/],
        [attention({ keyMask: ['1', '1', '1'] }), 'invalid_argument', /^keyMask: .* is not an array of numbers/],
        [attentionMask([1, 2]), 'invalid_argument', /^attentionMask\[1\]: 2 is not 0, 1, true or false$/],
        [attentionMask([Number.NaN]), 'invalid_argument', /^attentionMask\[0\]: NaN is not 0, 1/],
        [() => phasor.randomNormal({ seed: 1, shape: [true] as never }), 'invalid_argument', /^shape: .* is not an array of numbers$/],
        [
          () => similarity(phasor, { table: Promise.resolve(q) as never }),
          'invalid_argument',
          /^table: \[object Promise\] is not a tensor/,
        ],
        [
          attention({ pooling: new Map([['size', 2]]), outputs: ['pooledWeights'] }),
          'invalid_argument',
          /^pooling: \[object Map\] is not an object/,
        ],
        [() => phasor.randomNormal({ seed: 1n as never, shape: [1] }), 'invalid_argument', /^seed: 1n is not a number/],
        [
          () => phasor.randomNormal({ seed: Symbol('one') as never, shape: [1] }),
          'invalid_argument',
          /^seed: Symbol\(one\) is not a number/,
        ],
        [() => phasor.positionTable((() => 2) as never), 'invalid_argument', /^positionTable: argument 1 is \(\) => 2; expected an object/],
        [() => phasor.randomNormal({ seed: (() => 2) as never, shape: [1] }), 'invalid_argument', /^seed: \(\) => 2 is not a number/],
        [() => phasor.positionTable([] as never), 'invalid_argument', /^positionTable: argument 1 is a list; expected an object/],
        [
          () => phasor.randomNormal(Promise.resolve() as never),
          'invalid_argument',
          /^randomNormal: argument 1 is \[object Promise\]; expected an object/,
        ],
        [
          () => phasor.applyRotary(q, undefined as never),
          'invalid_argument',
          /^encoding: undefined is not the id of an encoding or \{id, \.\.\.parameters\}$/,
        ],
        [() => phasor.applyRotary(undefined as never, { encoding: 'rope' }), 'invalid_argument', /^x: undefined is not a tensor/],
        [
          () => (phasor.randomNormal as (...args: unknown[]) => unknown)({ seed: 1, shape: [1] }, 5),
          'invalid_argument',
          /^randomNormal: .*5/,
        ],
      ]);
      const masks = [[1, 0, 1], [true, false, true], [1, false, true], new Uint8Array([1, 0, 1]), new Float64Array([1, 0, 1])];
      const results = await Promise.all(
        masks.map((keyMask) => phasor.attention({ q, k: q, v: q, keyMask: keyMask as never, outputs: ['weights'] })),
      );
      for (const { weights } of results) check(weights?.data[1] === 0 && weights.data[0] === 0.5, 'the key in the middle is masked');
    },
  ],
];
