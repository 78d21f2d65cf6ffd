// Loads and compiles a WebAssembly file. Instances are created separately, because a page whose engine runs in a worker only compiles the file.

import { argumentError, PhasorError } from '../errors.ts';
import type { PackageFile, Platform, Program } from '../platform/platform.ts';
import { compileBytes } from './wasm-bytes.ts';

/** A compiled WebAssembly module with its options. It can be posted to a worker. */
export interface CompiledModule {
  readonly module: WebAssembly.Module;
  readonly program: Program;
  /** Whether multiply-adds are fused. The last bits of results then depend on the processor. */
  readonly isFused: boolean;
}

/** Default timeout for a response, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Error codes after which the next file is tried. */
const RETRYABLE_CODES: readonly unknown[] = ['not_found', 'not_wasm', 'truncated', 'fetch_failed'];
export const canTryNext = ({ code }: PhasorError) => RETRYABLE_CODES.includes(code);

/** Compiles the first source that can be loaded. If none can be loaded, throws the error of the first. */
export async function compileFirst<T>(
  sources: Iterable<T>,
  compile: (source: T) => Promise<WebAssembly.Module>,
): Promise<WebAssembly.Module> {
  let firstError: PhasorError | undefined;
  for (const source of sources) {
    try {
      return await compile(source);
    } catch (thrown) {
      firstError ??= PhasorError.from(thrown);
      if (!canTryNext(thrown as PhasorError)) break;
    }
  }
  throw firstError ?? argumentError('wasm', 'the URL of this package is unknown in this environment', { code: 'not_found' });
}

/** Compiles a file from its URL, or from its bytes if it is embedded. */
export const compileFile = (file: PackageFile, timeoutMs: number, platform: Platform, name = 'wasm'): Promise<WebAssembly.Module> =>
  file instanceof Uint8Array
    ? compileBytes(file, (code, reason) => argumentError(name, reason, { code }))
    : platform.compile(file, timeoutMs);
