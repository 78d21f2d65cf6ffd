// Inputs that are too large for a golden file. They are drawn with a seed from the case.

import type { Tensor } from '../../engine/types/api.ts';
import type { Case } from './case.ts';

/** Draws multiples of 1/256 in [-2, 2) with splitmix64, and multiplies them by `factor`. */
function drawTensor(seed: number, shape: readonly number[], factor: number): Tensor {
  let state = BigInt(seed);
  const drawNext = () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) >> 54n);
  };
  const count = shape.reduce((total, extent) => total * extent, 1);
  return { shape, data: Float32Array.from({ length: count }, () => ((drawNext() - 512) / 256) * factor) };
}

/** Whether q, k and v are drawn from seeds. They are either all drawn or all stored in the case. */
export const hasDrawnInputs = (c: Case): boolean => c.has('seed_q');
export const readFirstParam = (c: Case, ...names: string[]): number => c.integer(names.find((name) => c.has(name)) ?? (names[0] as string));

/**
 * Reads an input, or draws it if the case has the parameter seed_<name>. `multiplier` is the name of a parameter that scales drawn values.
 */
export function readOrDrawInput(c: Case, name: string, shape: () => readonly number[], multiplier?: string): Tensor {
  if (!c.has(`seed_${name}`)) return c.tensor(name);
  const extents = c.has(`${name}_shape`) ? c.numbers(`${name}_shape`) : shape();
  return drawTensor(c.integer(`seed_${name}`), extents, multiplier ? c.numberOr(multiplier, 1) : 1);
}
