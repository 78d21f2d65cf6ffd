// The NumPy program of every kind of figure leaves the figure's numbers in variables of the same names. Kinds come from the registry.

import { describe, expect, it } from 'vitest';
import type { EncodingInfo } from '../../web/engine/index.ts';
import { createPhasorWorker } from '../../web/engine/workers.node.ts';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { type EncodingSpec, FieldError } from '../../web/figure/contract/fields.ts';
import type { DataTable, Engine, Vocabulary } from '../../web/figure/contract/kind.ts';
import type { AnyKind } from '../../web/figure/contract/registry.ts';
import { readSpec, SpecError } from '../../web/figure/contract/spec.ts';
import { codeFiles } from '../../web/figure/export/code-files.ts';
import { photographs } from './kinds/photographs.ts';
import { models } from './kinds/shipped.ts';
import { type Result, runPython } from './python/run.ts';

/** `npm run test:pytorch` runs the programs in PyTorch, too, which is not installed elsewhere. */
const hasTorch = process.env.PHASOR_TORCH === 'yes';

const engine: Engine & { dispose(): void } = await createPhasorWorker();

/** Word vectors without files: numbers that depend on the letters of the word. */
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

/** The defaults, every value of every choice and switch, other counts, and each encoding that the kind offers. */
function givensOf({ fields }: AnyKind): object[] {
  const others = Object.entries(fields).flatMap(([name, { control, initial }]): object[] => {
    if (control.kind === 'choice') return control.choices.filter((word) => word !== initial).map((word) => ({ [name]: word }));
    if (control.kind === 'switch') return [{ [name]: !initial }];
    if (control.kind === 'number') {
      const from = Number.isFinite(initial) ? (initial as number) : 0;
      const other = control.whole ? Math.floor(from / 2) + 3 : from + 1;
      return [{ [name]: Math.min(control.max, Math.max(control.min, other)) }];
    }
    if (control.kind !== 'encoding') return [];
    const offered = ({ id, injection }: EncodingInfo): boolean =>
      (control.injections?.includes(injection) ?? true) && (control.ids?.includes(id) ?? true) && id !== (initial as EncodingSpec).id;
    return engineEncodings.filter(offered).map(({ id }) => ({ [name]: id }));
  });
  // What a program does with two thousand tokens it does with fewer, too: these were most of what all programs take.
  const { control, initial } = fields.length ?? {};
  const shorter = control?.kind === 'number' && (initial as number) > 1024 ? { length: 512 } : {};
  return [{}, ...others.map((given) => ({ ...shorter, ...given }))];
}

const engineEncodings = (engine as unknown as { encodings: readonly EncodingInfo[] }).encodings;

interface Run {
  readonly name: string;
  readonly kind: string;
  readonly tables: readonly DataTable[];
  readonly pytorch: string;
  readonly job: Parameters<typeof runPython>[0][number];
}

async function runsOf(kind: AnyKind): Promise<Run[]> {
  const runs: Run[] = [];
  for (const given of givensOf(kind)) {
    const spec = readSpec(kind, given as { [name: string]: unknown });
    let numbers: unknown;
    try {
      numbers = await kind.compute(spec, { engine, vocabulary, photographs, models });
    } catch (thrown) {
      // An encoding that does not fit the other fields is refused in one sentence; the defaults never are.
      if (
        Object.keys(given).length === 0 ||
        !(thrown instanceof FieldError || thrown instanceof SpecError || (thrown as Error).name === 'PhasorError')
      )
        throw thrown;
      continue;
    }
    const tables = kind.tables(numbers, spec);
    const encodings = Object.entries(kind.fields).flatMap(([name, { control }]) =>
      control.kind === 'encoding' ? [spec[name] as EncodingSpec] : [],
    );
    const { numpy, pytorch } = (await kind.code()).code(spec, engineEncodings, numbers);
    runs.push({
      name: JSON.stringify(given),
      kind: kind.id,
      tables,
      pytorch,
      job: {
        program: numpy,
        // What the page offers beside the program.
        files: {
          ...Object.fromEntries(tables.map(({ name, tensor }) => [name, tensor])),
          ...Object.assign({}, ...encodings.map(codeFiles)),
        },
        want: tables.map(({ name }) => name),
      },
    });
  }
  return runs;
}

const runs = (await Promise.all(Object.values(kinds).map(runsOf))).flat();
engine.dispose();
const results = new Map(runPython(runs.map(({ job }) => job)).map((result, index) => [runs[index] as Run, result]));
const firsts = Object.keys(kinds).map((id) => runs.find(({ kind }) => kind === id) as Run);
const parsed = runPython(firsts.map(({ pytorch }) => ({ program: pytorch, want: [], parseOnly: true })));
const inTorch = hasTorch ? runPython(runs.map(({ job, pytorch }) => ({ ...job, program: pytorch }))) : [];

/** Relative to the largest number: float32 sums over some hundred channels, such as dot products of long vectors. */
const TOLERANCE = 2e-5;

/** Components of equal variance may be turned among themselves, so that two programs may give others: the digits of binary numbers have such. */
const isAmbiguous = ({ kind, name }: Run, table: string): boolean =>
  kind === 'plane' && name === '{"encoding":"binary"}' && table === 'coordinates';

function wrong({ arrays, error }: Result, run: Run): string | undefined {
  if (error !== undefined) return error;
  const tables = run.tables.filter(({ name }) => !isAmbiguous(run, name));
  const found = tables.filter(({ name }) => arrays[name]);
  if (found.length === 0) return `the program leaves none of ${tables.map(({ name }) => name)}`;
  for (const { name, tensor } of found) {
    const { shape, data } = arrays[name] as Result['arrays'][string];
    if (String(shape) !== String(tensor.shape)) return `${name} has the shape ${shape}, not ${tensor.shape}`;
    const largest = tensor.data.reduce((size, value) => (Number.isFinite(value) ? Math.max(size, Math.abs(value)) : size), 1);
    const at = tensor.data.findIndex((value, index) => {
      const other = data[index] as number;
      return Number.isFinite(value) ? !(Math.abs(other - value) <= TOLERANCE * largest) : !Object.is(other, value);
    });
    if (at >= 0) return `${name}[${at}] is ${data[at]}, not ${tensor.data[at]}`;
  }
  return undefined;
}

describe.each(Object.keys(kinds))('%s', (id) => {
  const own = runs.filter(({ kind }) => kind === id);

  it('computes the numbers of the figure in NumPy', () => {
    expect(own.flatMap((run) => wrong(results.get(run) as Result, run)?.replace(/^/, `${run.name}: `) ?? [])).toEqual([]);
  });

  it('runs with other specs than its defaults', () => expect(own.length).toBeGreaterThan(1));

  // Where something trains, the program is that of the trainer, which npm run test:pytorch holds to the same losses (tests/pytorch).
  it.runIf(hasTorch && !kinds[id]?.trainable)('computes them in PyTorch', () => {
    const found = runs.map((run, at) => ({ run, result: inTorch[at] as Result })).filter(({ run }) => run.kind === id);
    expect(found.flatMap(({ run, result }) => wrong(result, run)?.replace(/^/, `${run.name}: `) ?? [])).toEqual([]);
  });

  it('has a program in PyTorch that Python can read', () => expect(parsed[Object.keys(kinds).indexOf(id)]).toEqual({ arrays: {} }));
});
