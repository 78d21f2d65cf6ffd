// Every encoding of the core has four files: implementation, description, reference and test.

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPhasor } from '../../web/engine/node.ts';

const ids = (folder: string, pattern: RegExp) =>
  readdirSync(folder)
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .sort();

it('has an implementation, a description, a reference and a test for every encoding', async () => {
  const phasor = await createPhasor();
  const registered = phasor.encodings.map((encoding) => encoding.id);
  expect(registered).toEqual(ids('cpp/src/encodings', /^(\w+)\.cpp$/));
  expect(ids('web/encodings', /^(?!description\b)(\w+)\.ts$/)).toEqual(registered);
  const shared =
    'encoding|attention|analysis|rope_analysis|requirements|model_layers|model_positions|transformer|learned_encodings|tasks|image_network';
  expect(ids('public/reference', new RegExp(`^(?!(?:${shared})\\.py$)(\\w+)\\.py$`))).toEqual(registered);
  expect(ids('tests/cpp/encodings', /^(\w+)_test\.cpp$/)).toEqual(registered);
});
