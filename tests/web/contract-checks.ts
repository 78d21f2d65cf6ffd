// What contract cases are made of.

import type { Phasor, RemotePhasor, Tensor } from '../../web/engine/types.ts';

export type AnyPhasor = Phasor | RemotePhasor;
export interface ContractCase {
  readonly name: string;
  readonly run: (phasor: AnyPhasor) => Promise<void>;
}

export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

export function close(got: number | undefined, expected: number, tolerance: number, what: string): void {
  check(got !== undefined && Math.abs(got - expected) <= tolerance * (1 + Math.abs(expected)), `${what}: ${got} instead of ${expected}`);
}

/** The message and code of the PhasorError that `run` throws, at once or as a rejected promise. */
export async function failure(run: () => unknown): Promise<{ name: string; code: string; message: string }> {
  try {
    await run();
  } catch (error) {
    return error as { name: string; code: string; message: string };
  }
  throw new Error('no error was thrown');
}

export const at = (t: Tensor, ...index: number[]) => t.data[index.reduce((flat, i, axis) => flat * (t.shape[axis] ?? 0) + i, 0)];
