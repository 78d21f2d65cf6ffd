// Loads and compiles a WebAssembly file. Separate from running it, because pages with the engine in a worker only compile.

import { argumentError, PhasorError } from '../errors.ts';
import type { OwnFile, Platform, Program } from '../platform/platform.ts';
import { compileBytes } from './wasm-bytes.ts';

/** A compiled WebAssembly module and its options, which can be posted to a worker. */
export interface Compiled {
  readonly module: WebAssembly.Module;
  /** The file that the module was compiled from. */
  readonly program: Program;
  /** Whether multiply-adds are fused: the last bits of results then depend on the processor. */
  readonly isFused: boolean;
}

/** Default timeout for a response, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000;

/** Error codes after which the next file is tried. */
const RETRYABLE_CODES: readonly unknown[] = ['not_found', 'not_wasm', 'truncated', 'fetch_failed'];
export const canTryNext = ({ code }: PhasorError) => RETRYABLE_CODES.includes(code);

/** The module of the first source that loads; otherwise the error of the first source. */
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
      if (!canTryNext(thrown as PhasorError)) break;
    }
  }
  throw failure ?? argumentError('wasm', 'the URL of this package is unknown in this environment', { code: 'not_found' });
}

/** Compiles a file, or the bytes that replace its URL. */
export const compileFile = (file: OwnFile, wait: number, platform: Platform, name = 'wasm'): Promise<WebAssembly.Module> =>
  file instanceof Uint8Array ? compileBytes(file, (code, why) => argumentError(name, why, { code })) : platform.compile(file, wait);
