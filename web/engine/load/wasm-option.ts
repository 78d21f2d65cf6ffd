// Reads the options `wasm`, `variant` and `timeout`, and compiles the WebAssembly file.

import { PhasorError } from '../errors.ts';
import type { Platform } from '../platform/platform.ts';
import { invalidValueError } from '../request/invalid-value.ts';
import { getTag } from '../request/plain.ts';
import type { PhasorOptions } from '../types/api.ts';
import { type CompiledModule, canTryNext, compileFile, compileFirst, DEFAULT_TIMEOUT_MS } from './compile.ts';
import { chooseVariant } from './simd.ts';

const isAbsent = (value: unknown) => value === undefined || value === null;

export function parseUrl(name: string, text: string, platform: Platform): URL {
  try {
    return platform.resolveUrl(text);
  } catch {
    throw invalidValueError(name, text, 'is not a URL');
  }
}

export function readTimeout(timeout: unknown): number {
  if (isAbsent(timeout)) return DEFAULT_TIMEOUT_MS;
  if (typeof timeout === 'number' && timeout > 0) return timeout;
  throw invalidValueError('timeout', timeout, 'is not a positive number of milliseconds');
}

async function compileSource(wasm: unknown, timeoutMs: number, platform: Platform): Promise<WebAssembly.Module> {
  const source = typeof wasm === 'string' ? parseUrl('wasm', wasm, platform) : wasm;
  const tag = getTag(source);
  if (tag === '[object WebAssembly.Module]') return source as WebAssembly.Module;
  if (tag === '[object URL]') return platform.compile(source as URL, timeoutMs);
  if (tag === '[object ArrayBuffer]') return compileFile(new Uint8Array(source as ArrayBuffer), timeoutMs, platform);
  if (!ArrayBuffer.isView(source)) throw invalidValueError('wasm', source, 'is not a URL, bytes or a WebAssembly.Module');
  return compileFile(new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength), timeoutMs, platform);
}

/**
 * Finds, loads and compiles the WebAssembly file for the given options.
 * @param mayFuse whether fused multiply-adds are allowed, whose results may differ between machines
 */
export async function compileWasm({ wasm, variant, timeout }: PhasorOptions, platform: Platform, mayFuse = true): Promise<CompiledModule> {
  const isFused = chooseVariant(variant ?? 'auto') === 'relaxed' && mayFuse;
  if (variant === 'relaxed' && !mayFuse)
    throw invalidValueError('variant', variant, 'is not bitwise reproducible across machines, which portable requires');
  const { program } = platform;
  const timeoutMs = readTimeout(timeout);
  if (!isAbsent(wasm)) return { module: await compileSource(wasm, timeoutMs, platform), program, isFused };
  try {
    return { module: await compileFirst(platform.packageFiles(), (file) => compileFile(file, timeoutMs, platform)), program, isFused };
  } catch (thrown) {
    const failure = PhasorError.from(thrown);
    throw canTryNext(failure)
      ? new PhasorError(failure.code, `${failure.message}; ${platform.advice ?? 'pass the option wasm, or import phasor/inline'}`, failure)
      : failure;
  }
}
