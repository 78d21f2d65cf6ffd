// public/models: every file matches its entry, loads, and has the recorded score.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf, modelsOf, wordsOf } from '../../scripts/train/model-list.mjs';
import { createTrainer } from '../../web/engine/train.node.ts';
import { createCorpus, type ShippedIndex, type ShippedModel, ShippedModels } from '../../web/figure/runtime/shipped-models.ts';
import './relaxed-simd.ts';

const MOST_BYTES = 250_000;
/** The effect of 16-bit weights, and of rounding that differs from the native program. */
const MOST_LOSS = 0.0003;
const folder = 'public/models';
const { text, models }: ShippedIndex = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));

/** Serves the files of a folder like a site, and logs the requests. */
function createSite(transform: (name: string, bytes: Buffer) => Buffer | undefined = (_, bytes) => bytes, root = 'public') {
  const requestedNames: string[] = [];
  const get = async (address: string | URL) => {
    const name = new URL(address).pathname.slice(1);
    requestedNames.push(name);
    const bytes = transform(name, root ? readFileSync(join(root, name)) : Buffer.alloc(0));
    return bytes ? new Response(new Uint8Array(bytes)) : new Response('', { status: 404, statusText: 'Not Found' });
  };
  return { asked: requestedNames, shipped: new ShippedModels('https://example.org/models/index.json', (spec) => createTrainer(spec), get) };
}
const corpusOf = ({ spec }: ShippedModel) => (spec.task === 'text' ? readFileSync(join('public', text.file), 'utf8') : undefined);

describe.each(models.map((model) => [model.id, model] as const))('%s', (id, model) => {
  const bytes = readFileSync(join(folder, model.file));

  it('matches the size and hash of its entry', () => {
    expect(bytes.length).toBe(model.bytes);
    expect(bytes.length).toBeLessThanOrEqual(MOST_BYTES);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(model.sha256);
    expect(model.file).toBe(`${id}-${model.sha256.slice(0, 8)}.safetensors`);
    expect(model.spec.task + (model.spec.encoding as { id: string }).id).toBe(id.replace('-', ''));
  });

  it('has the recorded loss', async () => {
    const trainer = await createSite().shipped.load(id, corpusOf(model));
    const [trained] = model.lengths;
    const { lengths, chance, metrics } = await trainer.evaluate({ lengths: [trained!.length] });
    expect(Math.abs(lengths[0]!.loss - trained!.loss)).toBeLessThan(MOST_LOSS);
    expect(Math.abs(lengths[0]!.score - trained!.score)).toBeLessThan(0.002);
    expect(chance).toBeCloseTo(model.chance, 6);
    expect(Object.keys(metrics)).toEqual(Object.keys(model.metrics ?? {}));
    for (const [name, value] of Object.entries(model.metrics ?? {})) expect(Math.abs(metrics[name]! - value)).toBeLessThan(0.002);
    trainer.dispose();
  });
});

/** The encodings that the trainer accepts for the text task. */
async function encodingsOfText(): Promise<string[]> {
  const encodings = readdirSync('cpp/src/encodings').map((file) => file.replace('.cpp', ''));
  const corpus = createCorpus('abc ', 16);
  const hasModel = await Promise.all(
    encodings.map((encoding) =>
      createTrainer({ task: 'text', encoding, corpus, sequenceLength: 16, embedDim: 32, layers: 1 }).then(
        (trainer) => trainer.dispose() ?? true,
        () => false,
      ),
    ),
  );
  return encodings.filter((_, index) => hasModel[index]);
}

describe('index of shipped models', () => {
  const encodings = encodingsOfText();

  it('lists every model with its training command, and the folder has no other files', async () => {
    const listedModels = modelsOf(await encodings);
    expect(models.map(({ id }) => id)).toEqual(listedModels.map(idOf));
    expect(models.map(({ spec }) => spec)).toEqual(listedModels.map(({ spec }) => spec));
    expect(models.map(({ command }) => command)).toEqual(
      listedModels.map((model) => `npm run train -- ${wordsOf(model).join(' ')} --half --weights ${idOf(model)}.safetensors`),
    );
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()); // folders are published checkpoints
    expect(files.map(({ name }) => name).sort()).toEqual([...models.map(({ file }) => file), 'index.json'].sort());
  });

  it('has a text model for every encoding that can be trained on text', async () => {
    const shipped = models.filter(({ spec }) => spec.task === 'text').map(({ spec }) => (spec.encoding as { id: string }).id);
    expect(shipped.sort()).toEqual((await encodings).sort());
  });

  it('has the hash and the symbols of its text', () => {
    const novel = readFileSync(join('public', text.file));
    expect(createHash('sha256').update(novel).digest('hex')).toBe(text.sha256);
    const letters = novel.toString().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    expect([...text.symbols].sort()).toEqual([...new Set(letters.replace(/[ \t-\r]+/g, ' '))].sort());
  });
});

describe('ShippedModels', () => {
  it('fetches a model only on request, and computes its attention without a corpus', async () => {
    const { asked: requestedNames, shipped } = createSite();
    const model = await shipped.find('text-rope');
    expect(requestedNames).toEqual(['models/index.json']);
    const [modelWithoutCorpus, modelWithCorpus] = [await shipped.load('text-rope'), await shipped.load('text-rope', corpusOf(model))];
    expect(requestedNames).toEqual(['models/index.json', `models/${model.file}`, `models/${model.file}`]);
    const tokens = await modelWithoutCorpus.tokens('It is a truth universally acknowledged');
    expect(tokens).toEqual(await modelWithCorpus.tokens('It is a truth universally acknowledged'));
    expect(await modelWithoutCorpus.logits(tokens)).toEqual(await modelWithCorpus.logits(tokens));
    expect((await modelWithoutCorpus.attentionWeights(tokens)).shape).toEqual([2, 4, 38, 38]);
    modelWithoutCorpus.dispose();
    modelWithCorpus.dispose();
  });

  it('fetches models from the folder that the index names', async () => {
    const { asked: requestedNames, shipped } = createSite((name) => {
      const bytes = readFileSync(join('public', name.replace('files/', 'models/')));
      return name.endsWith('.json') ? Buffer.from(JSON.stringify({ folder: '../files/', ...JSON.parse(String(bytes)) })) : bytes;
    }, '');
    const { file } = await shipped.find('geometry_1d-learned');
    (await shipped.load('geometry_1d-learned')).dispose();
    expect(requestedNames).toEqual(['models/index.json', `files/${file}`]);
  });

  it('rejects a missing, truncated or changed model', async () => {
    await expect(createSite().shipped.load('text-ropes')).rejects.toThrow(
      /^models: no model has the id "text-ropes"; expected text-alibi, .* \(the phasor-models package contains all models\)$/,
    );
    const truncatedSite = createSite((name, bytes) => (name.endsWith('.json') ? bytes : bytes.subarray(0, 1000)));
    await expect(truncatedSite.shipped.load('text-rope')).rejects.toThrow(
      /^models: https:\/\/example\.org\/models\/text-rope-\w+\.safetensors could not be loaded \(1000 bytes instead of \d+\); expected this file in the folder set by/,
    );
    const corruptedSite = createSite((name, bytes) =>
      name.endsWith('.json') ? bytes : Buffer.from(bytes.map((byte, index) => (index === 100_000 ? byte ^ 1 : byte))),
    );
    await expect(corruptedSite.shipped.load('text-rope')).rejects.toThrow(/\(SHA-256 [\da-f]{64} instead of [\da-f]{64}\)/);
    const configOnlySite = createSite((name, bytes) => (name.endsWith('.json') ? bytes : undefined));
    await expect(configOnlySite.shipped.load('text-rope')).rejects.toThrow(
      /^models: \S+\.safetensors could not be loaded \(404 Not Found\); expected this file in the folder set by the models-src attribute, as in the phasor-models package$/,
    );
    let isMissing = true;
    const delayedSite = createSite((_, bytes) => (isMissing ? undefined : bytes));
    await expect(delayedSite.shipped.load('text-rope')).rejects.toThrow(
      /^models: https:\/\/example\.org\/models\/index\.json could not be loaded \(404 Not Found\); expected this file in the folder set by the models-src attribute/,
    );
    isMissing = false;
    expect((await delayedSite.shipped.find('text-rope')).experiment).toBe('E2b');
  });
});
