// The data of an error in every engine: the argument, the value and the allowed values.

import type { ErrorDetails } from '../../web/engine/errors.ts';
import { type AnyPhasor, type Contract, catchError, check } from './contract-checks.ts';

const expectDetails = async (run: () => unknown, expected: ErrorDetails): Promise<void> => {
  const { message, argument, value, allowed } = await catchError(run);
  const actual = JSON.stringify([argument, value, allowed]);
  check(actual === JSON.stringify([expected.argument, expected.value, expected.allowed]), `${message}: ${actual}`);
};

const q = { shape: [1, 2, 4], data: new Float32Array(8) };
const table = (phasor: AnyPhasor, fields: object) => () => phasor.positionTable({ encoding: 'sinusoidal', length: 4, dim: 8, ...fields });
const attend = (phasor: AnyPhasor, fields: object) => () => phasor.attention({ q, k: q, v: q, ...fields });

export const errorCases: Contract = [
  [
    'reports the allowed range and the exact value of a number outside it',
    async (phasor) => {
      await expectDetails(table(phasor, { length: 0 }), { argument: 'length', value: 0, allowed: { min: 1, max: 1048576 } });
      const base = { argument: 'base', value: 0.123456789, allowed: { min: 1.001, max: 1e12 } };
      await expectDetails(attend(phasor, { encoding: { id: 'rope', base: base.value } }), base);
    },
  ],
  [
    'reports the allowed words and an unknown word without quotation marks',
    async (phasor) => {
      const ids = phasor.encodings.map(({ id }) => id);
      await expectDetails(table(phasor, { encoding: 'ropee' }), { argument: 'encoding', value: 'ropee', allowed: ids });
      await expectDetails(attend(phasor, { mask: 'casual' }), { argument: 'mask', value: 'casual', allowed: ['none', 'causal'] });
      const layout = { argument: 'layout', value: 'rows', allowed: ['interleaved', 'half_split'] };
      await expectDetails(attend(phasor, { encoding: { id: 'rope', layout: layout.value } }), layout);
    },
  ],
  [
    'reports the path of an element and of an unknown field',
    async (phasor) => {
      const far = { argument: 'queryPositions[1]', value: 2 ** 40, allowed: { min: -2147483647, max: 2147483647 } };
      await expectDetails(attend(phasor, { queryPositions: [0, far.value], keyPositions: [0, 1] }), far);
      await expectDetails(attend(phasor, { scle: 1 }), { argument: 'scle' });
      const strides = { argument: 'k.strides[2]', value: -1, allowed: { min: 0, max: 2147483647 } };
      await expectDetails(attend(phasor, { k: { ...q, strides: [8, 4, strides.value] } }), strides);
    },
  ],
  [
    'reports the key of a config and its value',
    async (phasor) => {
      const model = { model_type: 'llama', hidden_size: 64, num_attention_heads: 4 };
      await expectDetails(() => phasor.ropeFromConfig({ ...model, rope_theta: 'ten' }), { argument: 'rope_theta', value: 'ten' });
      await expectDetails(() => phasor.encodingFromConfig({ model_type: 't5' }), { argument: 'stack', allowed: ['encoder', 'decoder'] });
    },
  ],
  [
    'does not report a word of the message as the value',
    async (phasor) => {
      await expectDetails(attend(phasor, { k: { shape: [4], data: [1, 2, 3, 4] } }), { argument: 'k' });
      await expectDetails(attend(phasor, { encoding: { id: 'alibi', theta: 2 } }), {
        argument: 'theta',
        allowed: phasor.encodings.find(({ id }) => id === 'alibi')?.params.map(({ name }) => name),
      });
    },
  ],
];
