// Helpers for contract cases.

import { PhasorError } from '../../web/engine/errors.ts';
import type { Tensor } from '../../web/engine/types/api.ts';
import type { AnyCache, AnyPhasor } from '../../web/self-test/any-phasor.ts';

export type { AnyCache, AnyPhasor };

export interface ContractCase {
  readonly name: string;
  readonly run: (phasor: AnyPhasor) => Promise<void>;
}
export type Contract = readonly (readonly [name: string, run: ContractCase['run']])[];

export function check(condition: boolean, label: string): asserts condition {
  if (!condition) throw new Error(label);
}

export function assertClose(actual: number | undefined, expected: number, tolerance: number, message: string): void {
  check(
    actual !== undefined && Math.abs(actual - expected) <= tolerance * (1 + Math.abs(expected)),
    `${message}: ${actual} instead of ${expected}`,
  );
}

/** Checks that two tensors are equal bit for bit. */
export function assertSame(actual: Tensor, expected: Tensor, message: string): void {
  check(actual.shape.join() === expected.shape.join(), `${message}: the shape is ${actual.shape}, not ${expected.shape}`);
  const index = actual.data.findIndex((number, i) => !Object.is(number, expected.data[i]));
  check(index < 0, `${message}: number ${index} is ${actual.data[index]}, not ${expected.data[index]}`);
}

/** Checks that the data of an error matches its message. */
function checkAbout({ code, message, argument, value, allowed }: PhasorError): void {
  // An error about the type of the whole request names no argument.
  const [, started] = /^([\w.[\]]+): (?!argument |options: |signal: )/.exec(message) ?? [];
  if (code === 'invalid_argument' || code === 'unknown_name')
    check(started === undefined || argument === started, `${message}: its path is ${argument}`);
  check(argument === undefined || message.startsWith(argument), `${message}: its path is ${argument}`);
  const rest = message.slice(`${argument}: `.length);
  const text = rest.startsWith('"') ? rest.slice(1) : rest;
  if (typeof value === 'string') check(text.startsWith(value), `${message}: its value is ${value}`);
  // Numbers that are not integers are printed with six digits.
  const number = Number.parseFloat(text);
  if (typeof value === 'number') {
    check(Object.is(number, value) || Math.abs(number - value) <= 1e-5 * Math.abs(value), `${message}: its value is ${value}`);
  }
  if (allowed && 'length' in allowed) check(message.includes(allowed.join(', ')), `${message}: ${allowed} are allowed`);
  else if (allowed) check(allowed.min <= allowed.max, `${message}: ${allowed.min} to ${allowed.max} is allowed`);
}

/** Returns the PhasorError that `run` throws or rejects with. */
export async function catchError(run: () => unknown): Promise<PhasorError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof PhasorError) checkAbout(error);
    return error as PhasorError;
  }
  throw new Error('no error was thrown');
}

/** Checks that each call fails with a PhasorError of the given code and message. */
export async function assertErrors(expected: readonly (readonly [() => unknown, string, RegExp])[]): Promise<void> {
  for (const [run, code, sentence] of expected) {
    const error = await catchError(run);
    check(
      error.name === 'PhasorError' && error.code === code && sentence.test(error.message),
      `${sentence}: ${error.code} ${error.message}`,
    );
  }
}

export const valueAt = (t: Tensor, ...index: number[]): number =>
  t.data[index.reduce((offset, i, axis) => offset * (t.shape[axis] ?? 0) + i, 0)] ?? Number.NaN;

/** Returns the tokens from `first` up to `last` of every head. */
export const sliceTokens = (t: Tensor, first: number, last: number): Tensor => {
  const [heads = 0, length = 0, width = 0] = t.shape;
  const rows = Array.from({ length: heads }, (_, h) => t.data.subarray((h * length + first) * width, (h * length + last) * width));
  return { shape: [heads, last - first, width], data: Float32Array.from(rows.flatMap((row) => [...row])) };
};

export const randomTensor = (phasor: AnyPhasor, seed: number, shape: number[]) => phasor.randomNormal({ seed, shape });
