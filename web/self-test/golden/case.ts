// A case of a golden file. Records all accesses, so that a case with unused parameters, inputs or outputs fails.

import type { Tensor } from '../../engine/types/api.ts';
import type { AnyPhasor } from '../any-phasor.ts';

/** A tensor of a golden file, in float64. Integers and booleans must match exactly. */
export interface GoldenTensor {
  readonly shape: readonly number[];
  readonly data: readonly number[];
  readonly isExact: boolean;
}

type NamedValues = { readonly [name: string]: unknown };
export interface GoldenEntry {
  readonly id: string;
  readonly method: string;
  readonly params?: NamedValues;
  readonly inputs?: NamedValues;
  readonly outputs?: NamedValues;
}
export interface GoldenFile {
  readonly schema: string;
  readonly tensors?: NamedValues;
  readonly cases: readonly GoldenEntry[];
}

/** Tolerance of |actual - expected| / (1 + |expected|) for float32 tables whose angles are computed in float64. */
export const TABLE_TOLERANCE = 1e-6;
export const ATTENTION_TOLERANCE = 2e-6;
/** Tolerance for layers with several matrix products (Transformer-XL, DeBERTa, CoPE, multi-head attention). */
export const COMPOSITE_TOLERANCE = 5e-6;
export const GRADIENT_TOLERANCE = 4e-6;
/** Tolerance for sampled outputs of a long sequence. */
export const SAMPLE_TOLERANCE = 5e-6;
export const SUM_TOLERANCE = 1e-4;

const ENTRY_FIELDS = new Set(['id', 'method', 'params', 'inputs', 'outputs', 'source', 'notes', 'tol']);
const INFINITIES: Record<string, number> = { Infinity: Number.POSITIVE_INFINITY, '-Infinity': Number.NEGATIVE_INFINITY };

export class Case {
  private readonly accessedNames = new Set<string>();
  private readonly entry: GoldenEntry;
  private readonly tensors: NamedValues;

  constructor(entry: GoldenEntry, tensors: NamedValues) {
    this.entry = entry;
    this.tensors = tensors;
  }

  fail(reason: string): never {
    throw new Error(reason);
  }

  has(name: string): boolean {
    return name in (this.entry.params ?? {});
  }

  param(name: string): unknown {
    this.accessedNames.add(`params ${name}`);
    return this.has(name) ? this.entry.params?.[name] : this.fail(`params lack ${name}`);
  }

  number(name: string): number {
    const value = this.param(name);
    return typeof value === 'number' ? value : this.fail(`param ${name} is not a number: ${JSON.stringify(value)}`);
  }

  /** Returns a numeric parameter, or `fallback` if the parameter is missing or null. */
  numberOr<T>(name: string, fallback: T): number | T {
    return this.has(name) && this.param(name) !== null ? this.number(name) : fallback;
  }

  integer(name: string): number {
    const value = this.number(name);
    return Number.isSafeInteger(value) ? value : this.fail(`param ${name} is not a whole number: ${value}`);
  }

  boolean(name: string): boolean {
    const value = this.param(name);
    return typeof value === 'boolean' ? value : this.fail(`param ${name} is not true or false: ${JSON.stringify(value)}`);
  }

  /** Looks up the value of a string parameter in `valuesByName`. */
  choice<T>(name: string, valuesByName: Readonly<Record<string, T>>): T {
    const value = this.param(name);
    if (typeof value === 'string' && Object.hasOwn(valuesByName, value)) return valuesByName[value] as T;
    return this.fail(`param ${name}: unknown value ${JSON.stringify(value)}`);
  }

  text(name: string): string {
    const value = this.param(name);
    return typeof value === 'string' ? value : this.fail(`param ${name} is not a string: ${JSON.stringify(value)}`);
  }

  list(name: string): readonly unknown[] {
    const value = this.param(name);
    return Array.isArray(value) ? value : this.fail(`param ${name} is not a list: ${JSON.stringify(value)}`);
  }

  numbers(name: string): number[] {
    return this.list(name).map((value) =>
      typeof value === 'number' ? value : this.fail(`param ${name} contains ${JSON.stringify(value)}; expected numbers`),
    );
  }

  expectParam(name: string, value: number | string | boolean | undefined): void {
    if (this.has(name) && this.param(name) !== value) {
      this.fail(`param ${name} is ${JSON.stringify(this.param(name))}; expected ${JSON.stringify(value)}`);
    }
  }

  hasInput(name: string): boolean {
    return name in (this.entry.inputs ?? {});
  }

  input(name: string): GoldenTensor {
    this.accessedNames.add(`inputs ${name}`);
    return this.hasInput(name) ? this.array(this.entry.inputs?.[name], `input ${name}`) : this.fail(`inputs lack ${name}`);
  }

  /** Reads an input as float32, and checks its rank. */
  tensor(name: string, rank?: number): Tensor {
    const { shape, data } = this.input(name);
    if (rank !== undefined && shape.length !== rank) this.fail(`input ${name} has shape ${shape}; expected ${rank} axes`);
    return { shape, data: Float32Array.from(data) };
  }

  /** Returns an output that is not a tensor, or undefined if it is missing. */
  rawOutput(name: string): unknown {
    this.accessedNames.add(`outputs ${name}`);
    return this.entry.outputs?.[name];
  }

  hasOutput(name: string): boolean {
    return name in (this.entry.outputs ?? {});
  }

  /**
   * Compares an output with the expected values. Errors are divided by 1 + |expected|, or by |expected| if `measure` is 'relative'. If it
   * is 'weights', expected zeros must be matched exactly.
   */
  expect(
    name: string,
    actual: { readonly shape: readonly number[]; readonly data: ArrayLike<number> },
    tolerance: number,
    measure: 'mixed' | 'relative' | 'weights' = 'mixed',
  ): void {
    this.accessedNames.add(`outputs ${name}`);
    if (!this.hasOutput(name)) this.fail(`outputs lack ${name}`);
    const expected = this.array(this.entry.outputs?.[name], `output ${name}`);
    if (actual.shape.join() !== expected.shape.join()) this.fail(`${name} has shape [${actual.shape}], expected [${expected.shape}]`);
    expected.data.forEach((expectedValue, i) => {
      const value = actual.data[i] as number;
      if (value === expectedValue) return; // needed for infinities, whose difference is NaN
      const mustBeExact = expected.isExact || (measure === 'weights' && expectedValue === 0);
      const error = mustBeExact
        ? Number.POSITIVE_INFINITY
        : Math.abs(value - expectedValue) / (measure === 'relative' ? Math.abs(expectedValue) : 1 + Math.abs(expectedValue));
      // Negated so that NaN fails.
      if (!(error <= tolerance)) this.fail(`${name}[${i}]: got ${value}, expected ${expectedValue}, error ${error}, allowed ${tolerance}`);
    });
  }

  /** Fails if a parameter, an input or an output has not been used. Must be called last. */
  finish(): void {
    for (const field of Object.keys(this.entry)) if (!ENTRY_FIELDS.has(field)) this.fail(`unknown field ${field}`);
    for (const section of ['params', 'inputs', 'outputs'] as const) {
      for (const name of Object.keys(this.entry[section] ?? {})) {
        if (!this.accessedNames.has(`${section} ${name}`)) this.fail(`unknown ${section.slice(0, -1)} ${name}`);
      }
    }
    if (Object.keys(this.entry.outputs ?? {}).length === 0) this.fail('the case has no outputs to compare with');
  }

  private array(value: unknown, name: string): GoldenTensor {
    if (typeof value === 'string' && value.startsWith('@') && value.slice(1) in this.tensors) {
      return this.array(this.tensors[value.slice(1)], name);
    }
    const { shape, data, dtype } = (value ?? {}) as { shape?: unknown; data?: unknown; dtype?: unknown };
    if (!Array.isArray(shape) || !Array.isArray(data) || typeof dtype !== 'string') return this.fail(`${name} is not a tensor`);
    const numbers = data.map((entry: unknown) => {
      const number = typeof entry === 'string' ? INFINITIES[entry] : entry;
      return typeof number === 'number' ? number : this.fail(`${name} contains an entry that is not a number: ${JSON.stringify(entry)}`);
    });
    if (shape.reduce((total: number, extent: number) => total * extent, 1) !== numbers.length) {
      this.fail(`${name} has ${numbers.length} values for shape [${shape}]`);
    }
    return { shape, data: numbers, isExact: dtype !== 'f64' };
  }
}

export type Runner = (c: Case, phasor: AnyPhasor) => Promise<void>;
export type Methods = Readonly<Record<string, Runner>>;

/** Returns the integers from `first` to first + count - 1. */
export const consecutiveIntegers = (count: number, first = 0): number[] => Array.from({ length: count }, (_, i) => first + i);
