// The values of published models in chapters are those of tests/golden-real.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { recordedModels } from '../../scripts/book/recorded-models.mjs';

it('recorded-models.json equals the values of tests/golden-real', () => {
  expect(JSON.parse(readFileSync('web/book/recorded-models.json', 'utf8'))).toEqual(JSON.parse(recordedModels()));
});
