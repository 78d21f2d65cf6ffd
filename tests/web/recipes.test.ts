// The recipes of docs/models.md, extracted from the page and run in whole models: they replace the code of the families of golden-models.test.ts,
// and must compute the values of transformers.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createPhasor } from '../../web/engine/node.ts';
import type { Tensor } from '../../web/engine/types/api.ts';
import { FullSequence } from './models/attend.ts';
import { type ModelFiles, readModel } from './models/families.ts';
import { add, fromTensor, layerNorm, type Matrix, rowsOf, toTensor } from './models/matrix.ts';
import { compare, OUTPUT, part, shaped, texts, WEIGHT } from './models/reference.ts';

const phasor = await createPhasor();
const recipes = new Map(
  [...readFileSync('docs/models.md', 'utf8').matchAll(/^### (\w+)\n\n```js\n([^`]+)```$/gm)].map(([, family, code]) => [family!, code!]),
);
const json = (path: string) => JSON.parse(readFileSync(`tests/golden-models/${path}`, 'utf8'));
const read = (name: string): ModelFiles => ({
  config: json(`${name}/config.json`),
  bytes: readFileSync(`tests/golden-models/${name}/model.safetensors`),
  expected: json(`${name}/expected.json`),
});

const names = 'phasor, config, tensor, x, q, k, v, attentionMask';
const run = (family: string, inputs: object): Tensor =>
  new Function(`{ ${names} }`, `${recipes.get(family)}\nreturn output;`)({ phasor, ...inputs });

const cases = (families: Record<string, string[]>) =>
  Object.entries(families).flatMap(([family, models]) => models.map((name) => [family, name] as const));
const attending = {
  llama: ['llama-gqa', 'llama3', 'llama-v5cfg'],
  gpt_neox: ['neox-a', 'neox-hub'],
  gptj: ['gptj-a'],
  bloom: ['bloom-3h'],
};
const added = { gpt2: ['gpt2-a', 'gpt2-hub'], bert: ['bert-base', 'bert-mlm'], opt: ['opt-a'] };

it('docs/models.md has a recipe of at most five lines for each family', () => {
  expect([...recipes.keys()].sort()).toEqual([...Object.keys(attending), ...Object.keys(added), 't5'].sort());
  for (const [family, code] of recipes) expect(code.trim().split('\n').length, family).toBeLessThanOrEqual(5);
});

describe.each(cases({ ...attending, t5: ['t5enc-a', 't5-full'] }))('%s', (recipe, name) => {
  it(`computes the output of ${name} as transformers does`, async () => {
    const files = read(name);
    const { family, model } = readModel(files);
    const batch = files.expected.inputs[2]!;
    const [text] = texts(batch);
    const attention = new FullSequence(phasor, text!.attentionMask);
    const input = { config: files.config, tensor: (weight: string) => model.weight(weight) };
    attention.self = async (_layer, { q, k, v }) => fromTensor(run(recipe, { ...input, q, k, v }));
    const { output } = await family.run(model, text!, attention, phasor);
    compare('output', shaped(output), part((batch.logits ?? batch.last_hidden_state)!, 0), OUTPUT);
  });
});

describe.each(cases(added))('%s', (recipe, name) => {
  it(`computes the first hidden state of ${name}`, () => {
    const files = read(name);
    const { model } = readModel(files);
    const batch = files.expected.inputs.find((entry) => entry.hidden_states)!;
    const [{ ids, types, attentionMask }] = texts(batch) as [ReturnType<typeof texts>[number]];
    const words = { gpt2: 'wte.weight', opt: 'embed_tokens.weight', bert: 'embeddings.word_embeddings.weight' }[recipe]!;
    const tokens = rowsOf(model.weight(words), ids);
    const inputs = { config: files.config, tensor: (weight: string) => model.weight(weight), attentionMask };
    let x: Matrix = fromTensor(run(recipe, { ...inputs, x: toTensor(tokens) }));
    if (recipe === 'bert') {
      x = add(x, rowsOf(model.weight('embeddings.token_type_embeddings.weight'), types));
      x = layerNorm(x, model.norm('embeddings.LayerNorm'), model.number('layer_norm_eps', 1e-12));
    }
    compare('the first hidden state', shaped(x), part(batch.hidden_states![0]!, 0), OUTPUT);
  });
});

it('the opt recipe skips the first two rows of the table, and rejects a table of another length', () => {
  const { table } = { table: phasor.randomNormal({ seed: 1, shape: [6, 4] }) };
  const inputs = { tensor: () => table, x: phasor.randomNormal({ seed: 2, shape: [3, 4] }), attentionMask: [1, 1, 1] };
  const config = { model_type: 'opt', max_position_embeddings: 4 };
  const right = run('opt', { ...inputs, config });
  const sum = (i: number) => inputs.x.data[i]! + table.data[i + 8]!;
  for (const i of right.data.keys()) expect(Math.abs(right.data[i]! - sum(i))).toBeLessThan(WEIGHT);
  expect(() => run('opt', { ...inputs, config: { ...config, max_position_embeddings: 6 } })).toThrow(
    /^max_length: 8 differs from the 6 rows/,
  );
});
