// The Python program of every registered kind assigns the values of the figure to variables of the same names.

import { describe, expect, it } from 'vitest';
import { diagnose } from '../../web/engine/doctor.node.ts';
import type { EncodingInfo } from '../../web/engine/index.ts';
import { createPhasorWorker } from '../../web/engine/workers.node.ts';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { type EncodingSpec, FieldError } from '../../web/figure/contract/fields.ts';
import type { DataTable, Engine, Vocabulary } from '../../web/figure/contract/kind.ts';
import { matchesFilter } from '../../web/figure/contract/offered.ts';
import type { AnyKind } from '../../web/figure/contract/registry.ts';
import { readSpec, SpecError } from '../../web/figure/contract/spec.ts';
import { findImportedReferences } from '../../web/figure/export/reference-files.ts';
import { languageModel, novel } from './kinds/language-model.ts';
import { photographs } from './kinds/photographs.ts';
import { models } from './kinds/shipped.ts';
import { type Result, runPython } from './python/run.ts';

const { referencesFor } = (await import('../../scripts/standalone/references.mjs' as string)) as {
  referencesFor: (figures: object[], means: object) => string[];
};

const engine: Engine & { dispose(): void } = await createPhasorWorker();

/** Word vectors without files: their values depend on the letters of the word. */
const vocabulary: Vocabulary = {
  meanNorm: 4,
  problem: undefined,
  prepare: () => Promise.resolve(),
  vector: (word) =>
    Float32Array.from(
      { length: 64 },
      (_, channel) => Math.sin(channel + 1 + [...word].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)) / 2,
    ),
};

/** Specs to test: the defaults, all choices and switches, other counts, reversed lists, and each encoding that the kind offers. */
function enumerateFields({ fields }: AnyKind): object[] {
  const variations = Object.entries(fields).flatMap(([name, { control, initial }]): object[] => {
    if (control.kind === 'choice') return control.choices.filter((word) => word !== initial).map((word) => ({ [name]: word }));
    if (control.kind === 'switch') return [{ [name]: !initial }];
    if (control.kind === 'number') {
      const initialValue = Number.isFinite(initial) ? (initial as number) : 0;
      const value = control.whole ? Math.floor(initialValue / 2) + 3 : initialValue + 1;
      return [{ [name]: Math.min(control.max, Math.max(control.min, value)) }];
    }
    if (Array.isArray(initial) && initial.length > 1) return [{ [name]: [...initial].reverse() }];
    if (control.kind !== 'encoding') return [];
    const offered = ({ id, injection }: EncodingInfo): boolean =>
      (control.injections?.includes(injection) ?? true) && (control.ids?.includes(id) ?? true) && id !== (initial as EncodingSpec).id;
    return engineEncodings.filter(offered).map(({ id }) => ({ [name]: id }));
  });
  // Long texts would take most of the time of all programs.
  const { control, initial } = fields.length ?? {};
  const lengthFields = control?.kind === 'number' && (initial as number) > 1024 ? { length: 512 } : {};
  return [{}, ...variations.map((fields) => ({ ...lengthFields, ...fields }))];
}

const engineEncodings = (engine as unknown as { encodings: readonly EncodingInfo[] }).encodings;

interface Run {
  readonly name: string;
  readonly kind: string;
  readonly tables: readonly DataTable[];
  readonly job: Parameters<typeof runPython>[0][number];
}

async function runsOf(kind: AnyKind): Promise<Run[]> {
  const runs: Run[] = [];
  for (const input of enumerateFields(kind)) {
    const spec = readSpec(kind, input as { [name: string]: unknown });
    let results: unknown;
    try {
      results = await kind.compute(spec, {
        engine,
        vocabulary,
        photographs,
        models,
        languageModel,
        corpus: novel,
        diagnose: (request) => diagnose(request),
      });
    } catch (thrown) {
      // An encoding that does not match the other fields is rejected with one sentence; the defaults never are.
      if (
        Object.keys(input).length === 0 ||
        !(thrown instanceof FieldError || thrown instanceof SpecError || (thrown as Error).name === 'PhasorError')
      )
        throw thrown;
      continue;
    }
    const tables = kind.tables(results, spec);
    const { code } = await kind.loadPrograms();
    let source: ReturnType<typeof code>;
    try {
      source = code(spec, engineEncodings, results);
    } catch (thrown) {
      // A spec without a program is rejected too.
      if (Object.keys(input).length === 0 || !(thrown instanceof SpecError)) throw thrown;
      continue;
    }
    const { python, data } = source;
    runs.push({
      name: JSON.stringify(input),
      kind: kind.id,
      tables,
      job: {
        program: python,
        files: data,
        want: tables.map(({ name }) => name),
      },
    });
  }
  return runs;
}

const runs = (await Promise.all(Object.values(kinds).map(runsOf))).flat();
engine.dispose();
const results = new Map(runPython(runs.map(({ job }) => job)).map((result, index) => [runs[index] as Run, result]));

/** Relative to the largest value, for float32 sums over some hundred channels such as dot products of long vectors. */
const TOLERANCE = 2e-5;

/** Components of equal variance are unique only up to a rotation, so two programs may differ. The binary encoding has such components. */
const isAmbiguous = ({ kind, name }: Run, table: string): boolean =>
  kind === 'pca' && name === '{"encoding":"binary"}' && table === 'coordinates';

const isMeasured = (kind: string): boolean => ['probe', 'regression'].includes(kind);

function describeError({ arrays, error }: Result, run: Run): string | undefined {
  if (error !== undefined) return error;
  const tables = run.tables.filter(({ name }) => !isAmbiguous(run, name));
  const tablesFound = tables.filter(({ name }) => arrays[name]);
  // For measured values, Python computes only ratios and shares.
  const isComputed = (name: string): boolean => run.job.files?.[`${name}.npy`] === undefined;
  if (tablesFound.length === 0 || !(isMeasured(run.kind) || tablesFound.some(({ name }) => isComputed(name))))
    return `the program computes none of ${tables.map(({ name }) => name)}`;
  for (const { name, tensor } of tablesFound) {
    const { shape, data } = arrays[name] as Result['arrays'][string];
    if (String(shape) !== String(tensor.shape)) return `${name} has the shape ${shape}, not ${tensor.shape}`;
    const largest = tensor.data.reduce((size, value) => (Number.isFinite(value) ? Math.max(size, Math.abs(value)) : size), 1);
    const mismatchIndex = tensor.data.findIndex((value, index) => {
      const actual = data[index] as number;
      return Number.isFinite(value) ? !(Math.abs(actual - value) <= TOLERANCE * largest) : !Object.is(actual, value);
    });
    if (mismatchIndex >= 0) return `${name}[${mismatchIndex}] is ${data[mismatchIndex]}, not ${tensor.data[mismatchIndex]}`;
  }
  return undefined;
}

describe.each(Object.keys(kinds))('%s', (id) => {
  const kindRuns = runs.filter(({ kind }) => kind === id);

  it('computes the values of the figure in Python', () => {
    expect(kindRuns.flatMap((run) => describeError(results.get(run) as Result, run)?.replace(/^/, `${run.name}: `) ?? [])).toEqual([]);
  });

  it('runs with specs other than the defaults', () => expect(kindRuns.length).toBeGreaterThan(1));

  it('offers every file that it imports', () => {
    for (const { job } of kindRuns) {
      const modules = [...job.program.matchAll(/^from (\w+) import/gm)].map(([, module]) => `${module}.py`);
      expect(findImportedReferences(job.program)).toEqual(expect.arrayContaining(modules));
    }
  });

  it('includes every file that it imports in a demo', () => {
    const context = {
      modules: { importedReferences: findImportedReferences, kinds, offers: matchesFilter, readSpec },
      phasor: { encodings: engineEncodings },
    };
    const files = referencesFor([{ kind: id, fields: {}, attributes: {} }], context);
    for (const { job } of kindRuns) expect(files).toEqual(expect.arrayContaining(findImportedReferences(job.program)));
  });
});
