// Shared by the tests of figure kinds: an engine, computation from a spec as in a page, and checks of scenes and programs.

import { expect } from 'vitest';
import type { Cursor, Scene } from '../../../web/charts/scene.ts';
import * as analysis from '../../../web/engine/analysis.ts';
import type { Tensor } from '../../../web/engine/index.ts';
import { createPhasor } from '../../../web/engine/node.ts';
import type { RemotePhasor } from '../../../web/engine/types/api.ts';
import { type Engine, passes, type SourceCode } from '../../../web/figure/contract/kind.ts';
import type { AnyKind } from '../../../web/figure/contract/registry.ts';
import { type RawFields, readSpec } from '../../../web/figure/contract/spec.ts';
import { encodeNpy } from '../../../web/figure/export/npy.ts';
import { photographs } from './photographs.ts';
import { models } from './shipped.ts';

export const phasor = (await createPhasor()) as unknown as RemotePhasor & { readonly encodings: Engine['encodings'] };
const vocabulary = { meanNorm: 1, problem: undefined, prepare: async () => {}, vector: () => undefined };

export interface Computed {
  // biome-ignore lint/suspicious/noExplicitAny: the results of kinds differ
  readonly results: any;
  readonly spec: ReturnType<typeof readSpec>;
  scene(width?: number): Scene;
  readout(cursor?: Cursor): string;
  proof(): ReturnType<AnyKind['proof']> & { readonly good: boolean };
  tables(): ReturnType<AnyKind['tables']>;
  code(): Promise<SourceCode>;
}

/** Computes a figure from fields given as text or values. Rejects with the error message of the page. */
// biome-ignore lint/suspicious/noExplicitAny: the fields of kinds differ
export async function figureOf(kind: any, fields: RawFields = {}): Promise<Computed> {
  const figureKind = kind as AnyKind;
  const spec = readSpec(figureKind, fields);
  const results = await (async () => figureKind.compute(spec, { engine: phasor, vocabulary, photographs, models }))();
  return {
    results,
    spec,
    scene: (width = 700) => figureKind.scene(results, spec, { width, theme: 'light' }),
    readout: (cursor = {}) => figureKind.readout(results, spec, cursor),
    proof: () => {
      const proof = figureKind.proof(results, spec);
      return { ...proof, good: passes(proof) };
    },
    tables: () => figureKind.tables(results, spec),
    code: async () => (await figureKind.loadPrograms()).code(spec, phasor.encodings, results),
  };
}

/** Expects a scene without NaN within its width, with an overlay for every hit and every arrow key. */
export function expectAnswering(scene: Scene, width: number): void {
  const { picture } = scene;
  expect(JSON.stringify({ marks: picture.marks, description: picture.description })).not.toMatch(/NaN|null|undefined|Infinity/);
  expect(picture.width).toBeLessThanOrEqual(width);
  // Neighbouring points hit the same mark: each is drawn once and all are compared in one `expect`, which is slow.
  const hits = new Map<string, Cursor>();
  for (let y = 3; y < picture.height; y += 7) {
    for (let x = 3; x < picture.width; x += 7) {
      const hit = scene.hit(x, y);
      if (hit) hits.set(JSON.stringify(hit), hit);
    }
  }
  expect(hits.size).toBeGreaterThan(0);
  expect([...hits].filter(([, hit]) => scene.overlay(hit).length === 0).map(([words]) => words)).toEqual([]);
  const first = scene.step({}, 1, 0);
  expect(scene.overlay(first).length).toBeGreaterThan(0);
  for (const [columns, rows] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const)
    expect(scene.overlay(scene.step(first, columns, rows)).length).toBeGreaterThan(0);
  expect(scene.overlay({})).toEqual([]);
}

/** Arrays that a program reads, by the names of their .npy files without the extension. */
type Arrays = { readonly [name: string]: Tensor };

/** Runs the JavaScript program of a figure and returns these variables. */
export async function runProgram(
  source: string,
  names: readonly string[],
  arrays: Arrays = {},
): Promise<{ readonly [name: string]: unknown }> {
  const body = source.replaceAll(/^import .*\n/gm, '');
  const program = new Function(
    'createPhasor',
    'analysis',
    'readFile',
    `return (async () => { ${body}\nreturn { ${names.join(', ')} }; })();`,
  );
  const readFile = async (file: string) => encodeNpy(arrays[file.replace('.npy', '')] as Tensor);
  return program(createPhasor, analysis, readFile);
}

/** Expects programs that assign every table to a variable of its name, with equal values in JavaScript. */
export async function expectProgram(figure: Computed, arrays?: Arrays): Promise<void> {
  const tables = figure.tables();
  const { phasor: source, python } = await figure.code();
  const variables = await runProgram(
    source,
    tables.map(({ name }) => name),
    arrays,
  );
  for (const { name, tensor } of tables) {
    const { shape, data } = variables[name] as typeof tensor;
    expect([name, ...shape]).toEqual([name, ...tensor.shape]);
    expect(Array.from(data)).toEqual(Array.from(tensor.data));
    expect(python).toMatch(new RegExp(`^ *(.*, )?${name}(, .*)? = `, 'm'));
  }
}
