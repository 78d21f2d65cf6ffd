// Attention of the heads of the shipped models, computed by the real trainer.

import { describe, expect, it } from 'vitest';
import { createTrainer } from '../../../web/engine/train.node.ts';
import { readSpec } from '../../../web/figure/contract/spec.ts';
import type { HeadResults } from '../../../web/figure/kinds/inside/heads.ts';
import { HEADS, kind, LAYERS } from '../../../web/figure/kinds/inside/index.ts';
import { createModelInput } from '../../../web/figure/kinds/inside/shown.ts';
import { models, modelsWith } from './shipped.ts';
import { expectAnswering, figureOf, phasor } from './table-figures.ts';

const TEXTS = (await (await models()).list()).filter(({ spec }) => spec.task === 'text').map(({ spec }) => spec.encoding.id as string);

describe('createModelInput', () => {
  it('lists unknown characters, and keeps all others', () => {
    expect(createModelInput('  “Café”\n IS\t it? ', ' ?abcdefghijklmnopqrstuvwxyz', 64)).toEqual({
      characters: [...'caf is it?'],
      unknownCharacters: ['“', 'é', '”'],
      knownCharacterCount: 10,
      isLowercased: true,
    });
    expect(createModelInput('abc', 'abc', 2)).toEqual({
      characters: ['a', 'b'],
      unknownCharacters: [],
      knownCharacterCount: 3,
      isLowercased: false,
    });
  });

  it('gives the same tokens as the core', async () => {
    const { model, modelInput } = (await figureOf(kind, { text: 'It IS\n a  truth' })).results as HeadResults;
    const trainer = await (await models()).load(model.id);
    expect(await trainer.tokens(modelInput.characters.join(''))).toEqual(await trainer.tokens('It IS\n a  truth'));
    trainer.dispose();
  });
});

describe('inside figure, heads', () => {
  it('shows the attention weights of the model for the sentence', async () => {
    const figure = await figureOf(kind);
    const { maps, layers, heads, modelInput, model } = figure.results as HeadResults;
    expect([layers, heads]).toEqual([LAYERS, HEADS]);
    expect(maps.shape).toEqual([LAYERS * HEADS, 21, 21]);
    expect(modelInput.characters.join('')).toBe('rohan killed the lion');
    const trainer = await (await models()).load(model.id);
    const { data } = await trainer.attentionWeights(await trainer.tokens('rohan killed the lion'));
    const isSeen = (at: number): boolean => at % 21 <= Math.floor(at / 21) % 21;
    expect(Array.from(maps.data).filter((_, index) => isSeen(index))).toEqual(Array.from(data).filter((_, index) => isSeen(index)));
    expect(Array.from(maps.data).every((weight, index) => Number.isNaN(weight) !== isSeen(index))).toBe(true);
    trainer.dispose();
    expect(figure.proof()).toMatchObject({ good: true });
    expect(figure.proof().toleranceSource).toContain(`${model.file}, checked against its SHA-256`);
    const unverifiedResults = { ...(figure.results as HeadResults), isHashVerified: false };
    expect(kind.proof?.(unverifiedResults, figure.spec as never)?.toleranceSource).toContain(`${model.file}, not checked on this page`);
    expect(figure.readout()).toMatch(
      /^Layer 2, head 3: on average, most attention goes to the character before: 0\.\d+; the first character gets 0\.\d+$/,
    );
    expect(figure.readout({ query: 3, key: 2 })).toMatch(
      /^Layer 2, head 3: “a” \(character 4\) attends to “h” \(character 3\): weight [\d.]+$/,
    );
    expect(figure.readout({ query: 5, head: 0 })).toMatch(/^Layer 1, head 1: the space \(character 6\) attends most to /);
    expect(figure.readout({ query: 3, key: 9 })).toMatch(/cannot attend to “l” \(character 10\), which comes later$/);
  });

  it('reports a model whose weights depend on the length of the text', async () => {
    const wrongModels = modelsWith((trainer) => ({
      attentionWeights: (tokens) => trainer.attentionWeights([tokens.length % 40, ...Array.from(tokens).slice(1)]),
    }));
    const spec = readSpec(kind as never, {});
    const results = await kind.compute(spec as never, { engine: phasor, models: async () => wrongModels } as never);
    const { residual, tolerance } = kind.proof(results, spec as never);
    expect(residual).toBeGreaterThan(tolerance);
  });

  it.each([{}, { text: 'a' }, { text: 'It is a truth universally acknowledged, that a single man in possession of a good fortune' }])(
    'finds the mark under the pointer and moves with the arrow keys: case %#',
    async (fields) => {
      const figure = await figureOf(kind, fields);
      expectAnswering(figure.scene(), 700);
      expectAnswering(figure.scene(330), 330);
      expect(figure.proof().good).toBe(true);
    },
  );

  it('describes the characters that are read, omitted and beyond the limit', async () => {
    const { picture } = (await figureOf(kind, { text: `Voilà ${'so '.repeat(30)}` })).scene();
    expect(picture.description).toContain('Model input: voil so so');
    expect(picture.description).toContain('Omitted, because the model’s training novel does not contain them: à.');
    expect(picture.description).toContain('it reads the first 64 of 94');
    expect(picture.description).toContain('Trained beforehand on “Pride and Prejudice” (Jane Austen, 1813): 500 steps, one seed (1).');
  });

  it('reads the words in their current order', async () => {
    const { modelInput } = (await figureOf(kind, { text: 'Rohan killed the lion.', order: [3, 1, 2, 0, 4] })).results as HeadResults;
    expect(modelInput.characters.join('')).toBe('lion killed the rohan.');
  });

  it('selects heads by click, and across layers by actions', async () => {
    const { results, spec } = await figureOf(kind, { layer: 1, head: 4 });
    expect(kind.choose?.(results, spec as never, { head: 5 })).toEqual({ layer: 2, head: 2 });
    expect(kind.choose?.(results, spec as never, { query: 5, key: 3 })).toBeUndefined();
    const [previous, next] = kind.actions?.(results, spec as never) ?? [];
    expect([previous?.fields({}), next?.fields({})]).toEqual([
      { layer: 1, head: 3 },
      { layer: 2, head: 1 },
    ]);
  });

  it('offers exactly the encodings of the shipped character models', async () => {
    const { control } = kind.fields.encoding;
    expect(control.kind === 'encoding' && control.ids).toEqual(TEXTS);
    for (const encoding of TEXTS) {
      const figure = await figureOf(kind, { encoding });
      expect(figure.proof().good, encoding).toBe(true);
      expect(figure.tables().map(({ name }) => name)).toEqual(['weights', 'back', 'first', 'maps']);
    }
  });

  it('measures the attention to the first character, and finds no sink', async () => {
    // With equal weights, the first character gets 1, 1/2, 1/3 and so on.
    const text = 'he delighted in going to pemberley, especially when he was least';
    const even = [...text].reduce((sum, _, query) => sum + 1 / (query + 1), 0) / text.length;
    for (const encoding of TEXTS) {
      const { maps, meanWeightOnFirst } = (await figureOf(kind, { encoding, text })).results as HeadResults;
      expect(maps.shape).toEqual([8, 64, 64]);
      meanWeightOnFirst.data.forEach((share, head) => {
        const column = Array.from({ length: 64 }, (_, query) => maps.data[(head * 64 + query) * 64] as number);
        expect(share).toBeCloseTo(column.reduce((sum, weight) => sum + weight, 0) / 64, 6);
        // A sink has more than 0.3 (Gu et al. 2024).
        expect(share, `${encoding}, head ${head}`).toBeLessThan(0.1);
      });
      if (encoding === 'none') expect(Math.max(...meanWeightOnFirst.data)).toBeCloseTo(even, 1);
    }
  });

  it('exports a program that computes the same weights', async () => {
    const figure = await figureOf(kind, { text: 'so it is' });
    const { phasor: program } = await figure.code();
    const { readFileSync } = await import('node:fs');
    const fetched = async (file: string) => new Response(readFileSync(`public/models/${file}`));
    const body = program.replace(/^import .*\n/, '');
    const variables = await new Function('createTrainer', 'fetch', `return (async () => { ${body}\nreturn { weights, first, maps }; })();`)(
      createTrainer,
      fetched,
    );
    const [weights, , first, maps] = figure.tables();
    expect(variables.first).toEqual(first?.tensor);
    expect(variables.weights).toEqual(weights?.tensor);
    expect(variables.maps).toEqual(maps?.tensor);
  });
});
