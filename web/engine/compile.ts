// Loads and compiles the WebAssembly file. Apart from what runs it, which a page with the engine in a worker does not need.
import { chooseVariant } from './detect.ts';
import { PhasorError } from './errors.ts';
import type { OwnFile, Platform } from './platform.ts';
import type { PhasorOptions, Variant } from './types.ts';
import { compileBytes } from './wasm-bytes.ts';

/** A compiled WebAssembly module and the variant the caller requires. Can be posted to a worker. */
export interface Compiled {
  readonly module: WebAssembly.Module;
  /** Undefined when either variant is acceptable. */
  readonly required: Variant | undefined;
}

/** How long an answer may take, in milliseconds, unless the caller says so. */
export const WAIT = 30_000;

/** Failures of one file which say nothing of another. */
const MAY_BE_ELSEWHERE: readonly unknown[] = ['not_found', 'not_wasm', 'truncated', 'fetch_failed'];
export const mayBeElsewhere = ({ code }: PhasorError) => MAY_BE_ELSEWHERE.includes(code);

/** The variants that would do, best first. */
export function variantsFor(variant: PhasorOptions['variant']): readonly Variant[] {
  const chosen = chooseVariant(variant ?? 'auto');
  return chosen === variant || chosen === 'scalar' ? [chosen] : ['simd', 'scalar'];
}

/** The module of the first source that can be had; where there is none, what was wrong with the first. */
export async function firstModule<T>(
  sources: Iterable<T>,
  compile: (source: T) => Promise<WebAssembly.Module>,
): Promise<WebAssembly.Module> {
  let failure: PhasorError | undefined;
  for (const source of sources) {
    try {
      return await compile(source);
    } catch (thrown) {
      failure ??= PhasorError.from(thrown);
      if (!mayBeElsewhere(thrown as PhasorError)) break;
    }
  }
  throw failure ?? new PhasorError('not_found', 'wasm: the address of this package is not known here');
}

/** The files of the variants, each made when it is reached. */
export function* filesOf(variants: readonly Variant[], files: Platform['ownFiles']): Iterable<OwnFile> {
  for (const variant of variants) yield* files(variant);
}

/** Compiles a file, or bytes that `name` is given as. */
export const compileFile = (file: OwnFile, wait: number, platform: Platform, name = 'wasm'): Promise<WebAssembly.Module> =>
  file instanceof Uint8Array ? compileBytes(file, (code, why) => new PhasorError(code, `${name}: ${why}`)) : platform.compile(file, wait);
