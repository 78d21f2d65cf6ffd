// Every kind of figure in the gallery: rounded values of its default spec, and properties of all kinds.
import { describe, expect, it } from 'vitest';
import { diagnoseWith } from '../../web/engine/doctor/diagnose.ts';
import { createPhasor } from '../../web/engine/node.ts';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import type { Diagnose } from '../../web/figure/contract/context.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { toAsyncEngine } from '../../web/figure/runtime/promised-engine.ts';
import { WordVectors } from '../../web/sentence/word-vectors.ts';
import { languageModel, novel } from './kinds/language-model.ts';
import { photographs } from './kinds/photographs.ts';
import { models } from './kinds/shipped.ts';

const phasor = await createPhasor({ variant: 'simd' });
const engine = toAsyncEngine(phasor);
const diagnose: Diagnose = async (request) => diagnoseWith(phasor, request);
const vocabulary = new WordVectors();

/** Three digits, so that another order of summation gives the same snapshot; tiny remainders of a sum are zero. */
const formatRounded = (value: number, largest: number): string =>
  Math.abs(value) < 1e-5 * largest ? '0' : String(Number(value.toPrecision(3)));

/** Evenly spaced values of a table. */
function sample({ shape, data }: { readonly shape: readonly number[]; readonly data: Float32Array }): string {
  const largest = data.reduce((max, value) => (Number.isFinite(value) ? Math.max(max, Math.abs(value)) : max), 0);
  const step = Math.max(1, Math.floor(data.length / 23));
  const samples = Array.from(data).filter((_, index) => index % step === 0);
  return `[${shape.join(', ')}] ${samples.map((value) => formatRounded(value, largest)).join(' ')}`;
}

it('has kinds', () => expect(Object.keys(kinds).length).toBeGreaterThan(0));

describe.each(Object.entries(kinds))('%s', (id, kind) => {
  const spec = readSpec(kind, {});
  const computing = kind.compute(spec, { engine, vocabulary, photographs, models, languageModel, corpus: novel, diagnose });

  it('computes the recorded values', async () => {
    const tables = kind.tables(await computing, spec);
    expect(tables.length).toBeGreaterThan(0);
    expect(Object.fromEntries(tables.map(({ name, tensor }) => [name, sample(tensor)]))).toMatchSnapshot();
  });

  it('has a question, a caption, a proof, a readout and valid tables', async () => {
    const results = await computing;
    expect(id).toBe(kind.id);
    expect(kind.question).toMatch(/\?$/);
    expect(kind.caption).toMatch(/\.$/);
    const proof = kind.proof(results, spec);
    expect(Number.isFinite(proof.residual) && proof.tolerance >= 0, `${proof.quantity}: ${proof.residual}`).toBe(true);
    for (const words of [proof.quantity, proof.toleranceSource, proof.conclusion, kind.readout(results, spec, {})])
      expect(words.trim()).not.toBe('');
    const tables = kind.tables(results, spec);
    expect(new Set(tables.map(({ name }) => name)).size).toBe(tables.length);
    for (const { name, tensor, rows, columns } of tables) {
      expect(name).toMatch(/^[a-z]\w*$/i);
      expect(tensor.data.length).toBe(tensor.shape.reduce((size, side) => size * side, 1));
      if (rows) expect(rows.length, name).toBe(tensor.shape[0]);
      if (columns) expect(columns.length, name).toBe(tensor.shape[1]);
    }
  });

  it('has every main field among its fields and parameters', () => {
    const { id: encoding } = (spec as { encoding?: { id: string } }).encoding ?? {};
    const params = engine.encodings.find(({ id }) => id === encoding)?.params ?? [];
    const names = [...Object.keys(kind.fields), ...params.map(({ name }) => name)];
    for (const name of kind.mainFields ?? []) expect(names).toContain(name);
  });

  it.each([
    [1440, 'light'],
    [640, 'dark'],
    [330, 'light'],
  ] as const)('fits into %i px, %s, and has a readout and an overlay for every cursor', async (width, theme) => {
    const results = await computing;
    const scene = kind.scene(results, spec, { width, theme });
    const { picture } = scene;
    expect(picture.width).toBeLessThanOrEqual(width);
    expect(picture.title.trim()).not.toBe('');
    expect(picture.description.trim()).not.toBe('');
    expect(picture.marks.length + picture.rasters.length).toBeGreaterThan(0);
    const text = JSON.stringify(picture, (key, value) => (key === 'rgba' ? undefined : value));
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    // Pure: the same arguments give the same picture.
    expect(JSON.stringify(kind.scene(results, spec, { width, theme }).picture.marks)).toBe(JSON.stringify(picture.marks));

    const cursors = [scene.hit(-1, -1), scene.hit(1e6, 1e6)];
    expect(cursors).toEqual([undefined, undefined]);
    for (let column = 0; column <= 12; column += 1) {
      for (let row = 0; row <= 12; row += 1) {
        const hit = scene.hit((picture.width * column) / 12, (picture.height * row) / 12);
        if (!hit) continue;
        expect(Object.values(hit).every(Number.isFinite)).toBe(true);
        expect(kind.readout(results, spec, hit)).not.toMatch(/NaN|undefined|Infinity/);
        expect(JSON.stringify(scene.overlay(hit))).not.toMatch(/NaN|null/);
      }
    }
    let cursor = {};
    for (const [columns, rows] of [
      [1, 0],
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
      [0, 1e6],
      [1e6, 0],
    ] as const) {
      cursor = scene.step(cursor, columns, rows);
      expect(kind.readout(results, spec, cursor)).not.toMatch(/NaN|undefined/);
    }
    // Cursors of a linked figure that is larger or has other axes.
    for (const cursor of [{ query: 99_999, key: 99_999 }, { unheard: 3 }, { channel: 4096, head: 64 }]) {
      expect(kind.readout(results, spec, cursor)).not.toMatch(/NaN|undefined/);
      expect(JSON.stringify(scene.overlay(cursor))).not.toMatch(/NaN|null/);
    }
  });
});
