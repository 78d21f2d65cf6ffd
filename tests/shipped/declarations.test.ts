// The documentation that editors show for declarations of the package, and its examples, which run on the package.
import { afterAll, describe, expect, it } from 'vitest';
import { readableFile } from '../web/checkpoint-files.ts';
import { qwenGguf } from '../web/gguf-file.ts';
import { claimsOf, entry, runClaims } from './claims.ts';
import { declarations, exampleOf, hovers } from './declarations.ts';

const declared = declarations();
const callable = declared.filter(({ isCallable }) => isCallable);

it('documents every public declaration and member', () => {
  expect(declared.length).toBeGreaterThan(250);
  expect(callable.length).toBeGreaterThan(45);
  expect(declared.filter(({ text }) => text.length < 8).map(({ name }) => name)).toEqual([]);
});

it('documents an example and the errors of every function and method', () => {
  expect(callable.filter((declaration) => exampleOf(declaration) === '').map(({ name }) => name)).toEqual([]);
  const silent = callable.filter(
    ({ tags, text }) => !/^@throws \{(Phasor)?Error\} ./.test(tags.get('throws') ?? '') && !/Throws nothing/.test(text),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

it('documents the methods of RemotePhasor like those of Phasor', () => {
  const remote = hovers('RemotePhasor');
  for (const [name, text] of hovers('Phasor')) {
    if (name.startsWith('__@')) continue; // a symbol, whose name differs between programs
    expect(remote.get(name)?.length, name).toBeGreaterThan(8);
    if (!/^(attention|createCache|selfAttention|permutationTest)$/.test(name)) expect(remote.get(name), name).toBe(text);
  }
});

describe('examples', async () => {
  const phasor = await entry<{ createPhasor(): Promise<object> }>('phasor').createPhasor();
  const remote = await entry<{ createPhasorWorker(): Promise<{ dispose(): void }> }>('phasor/worker').createPhasorWorker();
  const { createTrainer } = entry<{ readonly createTrainer: unknown }>('phasor/train');
  // A model of 2 layers, 4 heads and 64 tokens.
  const files = 'tests/golden-models/llama-gqa';
  const gguf = [readableFile('qwen2-a.gguf', qwenGguf())];
  const { openModel } = entry<{ openModel(files: string): Promise<{ dispose(): void }> }>('phasor/model');
  const model = () => openModel(files);
  afterAll(() => remote.dispose());

  // Examples of <phasor-figure> and phasor-anywidget need a browser: tests/browser/examples.spec.ts runs them.
  const runnable = callable.filter(({ name }) => !/^(PhasorFigureElement|Widget|default)/.test(name));
  it.each(runnable.map((declaration) => [declaration.name, exampleOf(declaration)] as const))('%s', async (_, example) => {
    expect(claimsOf(example)).toBeGreaterThan(0);
    // Some examples dispose of their model, so each one gets a new model.
    await runClaims(example, {
      phasor,
      remote,
      createTrainer,
      files,
      gguf,
      ...(example.includes('model.') ? { model: await model() } : {}),
    });
  });
});
