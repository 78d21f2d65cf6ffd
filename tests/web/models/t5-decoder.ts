// The decoder of T5, for which there is no reference: the package is compared with plain attention in double, which is compared with the reference in
// the encoder.

import type { ContractCase } from '../contract-checks.ts';
import { Decoding, FullSequence } from './attend.ts';
import { type ModelFiles, readModel } from './families.ts';
import { nothing } from './family.ts';
import type { Matrix } from './matrix.ts';
import { plainAttention } from './plain-attention.ts';
import { compare, OUTPUT, part, shaped, texts } from './reference.ts';
import { t5Decoder } from './t5.ts';

const matches = (label: string, actual: Matrix, expected: Matrix) => {
  const { shape, data } = shaped(expected);
  compare(label, shaped(actual), { shape, data: [...data] }, OUTPUT);
};

export function t5DecoderCases(files: ModelFiles): readonly ContractCase[] {
  const { family, model } = readModel(files);
  const batch = files.expected.inputs[2]!;
  const [text] = texts(batch);
  // Longer than the largest distance of a bucket.
  const ids = Array.from({ length: 30 }, (_, i) => (7 * i) % 48);
  const encode = async (phasor: Parameters<ContractCase['run']>[0]) => (await family.run(model, text!, plainAttention, phasor)).output;

  return [
    {
      name: 't5 decoder: plain attention agrees with the reference in the encoder',
      run: async (phasor) => compare('encoder', shaped(await encode(phasor)), part(batch.last_hidden_state!, 0), OUTPUT),
    },
    {
      name: 't5 decoder: a whole text agrees with plain attention',
      run: async (phasor) => {
        const encoded = await encode(phasor);
        const fullSequence = new FullSequence(
          phasor,
          ids.map(() => 1),
        );
        matches(
          'logits',
          await t5Decoder(model, ids, encoded, fullSequence, phasor),
          await t5Decoder(model, ids, encoded, plainAttention, phasor),
        );
        const unreadNames = model.unread(nothing);
        if (unreadNames.length > 0) throw new Error(`no layer used ${unreadNames.join()}`);
      },
    },
    {
      name: 't5 decoder: a text decoded token by token agrees with plain attention',
      run: async (phasor) => {
        const encoded = await encode(phasor);
        const expected = await t5Decoder(model, ids, encoded, plainAttention, phasor);
        const caches = new Decoding(phasor, ids.length);
        for (const [i, id] of ids.entries()) {
          const data = expected.data.subarray(i * expected.columns, (i + 1) * expected.columns);
          matches(`logits of token ${i}`, await t5Decoder(model, [id], encoded, caches, phasor), { ...expected, rows: 1, data });
        }
        await caches.close();
      },
    },
  ];
}
