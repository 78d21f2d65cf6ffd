// Runs Python programs in one process and reads their arrays. scripts/setup/setup.mjs installs NumPy from Debian's python3-numpy.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tensor } from '../../../web/engine/index.ts';
import type { ProgramFiles } from '../../../web/figure/contract/kind.ts';
import { encodeContent } from '../../../web/figure/export/reference-files.ts';

export interface Job {
  readonly program: string;
  /** Initial arrays, as float64. */
  readonly given?: { readonly [name: string]: Positions | Tensor };
  /** Files beside the program by name, float32 arrays as .npy. */
  readonly files?: ProgramFiles;
  /** Source of modified reference modules by name. */
  readonly modules?: { readonly [name: string]: string };
  /** Variables read at the end; missing ones and functions are left out. */
  readonly want: readonly string[];
}
interface Positions {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}

export interface Result {
  /** The last line of the traceback. */
  readonly error?: string;
  readonly arrays: { readonly [name: string]: { readonly shape: readonly number[]; readonly data: Float64Array } };
}

/** The interpreter with NumPy, and PyTorch if requested; the first one on the PATH may lack it. */
export function findPython(): string {
  const imports = process.env.PHASOR_TORCH === 'yes' ? 'import numpy, torch' : 'import numpy';
  const interpreter = ['python3', '/usr/bin/python3'].find((name) => spawnSync(name, ['-c', imports]).status === 0);
  if (interpreter === undefined)
    throw new Error('no python3 with NumPy is installed; `node scripts/setup/setup.mjs test` installs python3-numpy');
  return interpreter;
}
let python: string | undefined;

const base64 = (bytes: ArrayBufferLike): string => Buffer.from(bytes).toString('base64');
const encodePositions = ({ shape, data }: Positions): object => ({ shape, data: base64(Float64Array.from(data).buffer) });
const each = <A, B>(record: { readonly [name: string]: A }, map: (value: A) => B): { [name: string]: B } =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

/** Runs all programs in order, each with separate variables and a separate folder. `torch`: PyTorch if PHASOR_TORCH requests it, else its stand-in. */
export function runPython(jobs: readonly Job[], torch = false): Result[] {
  python ??= findPython();
  const folder = mkdtempSync(join(tmpdir(), 'phasor-python-'));
  try {
    const input = JSON.stringify(
      jobs.map(({ given = {}, files = {}, ...job }) => ({
        ...job,
        given: each(given, encodePositions),
        files: each(files, (file) => base64(encodeContent(file).buffer)),
      })),
    );
    const standIn = torch && process.env.PHASOR_TORCH !== 'yes' ? ['torch'] : [];
    const { status, stdout, stderr } = spawnSync(python, ['-B', join(import.meta.dirname, 'run.py'), folder, ...standIn], {
      input,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    });
    if (status !== 0) throw new Error(`python ended with ${status}: ${stderr}`);
    const results: { error?: string; arrays: { [name: string]: { shape: number[]; data: string } } }[] = JSON.parse(stdout);
    return results.map(({ arrays, ...fields }) => ({
      ...fields,
      arrays: each(arrays, ({ shape, data }) => ({ shape, data: new Float64Array(Uint8Array.from(Buffer.from(data, 'base64')).buffer) })),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
