// The options that say which WebAssembly file is taken, and from where.

import { PhasorError } from '../errors/errors.ts';
import { refusal } from '../errors/refusal.ts';
import type { Platform, WasmFile } from '../platform/platform.ts';
import { hasFields, plain, tagOf } from '../request/plain.ts';
import { refusedValue } from '../request/refused-value.ts';
import type { PhasorOptions } from '../types/api.ts';
import { type Compiled, compileFile, filesOf, firstModule, mayBeElsewhere, WAIT } from './compile.ts';
import { chooseVariant } from './detect.ts';
import { filesHere } from './simd.ts';

const isAbsent = (value: unknown) => value === undefined || value === null;

/** The address that the caller wrote as text. */
export function addressOf(name: string, text: string, platform: Platform): URL {
  try {
    return platform.addressOf(text);
  } catch {
    throw refusedValue(name, text, 'is not an address');
  }
}

/** How long an answer may take, in milliseconds. */
export function waitOf(timeout: unknown): number {
  if (isAbsent(timeout)) return WAIT;
  if (typeof timeout === 'number' && timeout > 0) return timeout;
  throw refusedValue('timeout', timeout, 'is not a number of milliseconds above 0');
}

type Source = readonly [name: string, source: unknown];

/** Compiles one source, of whatever kind it is. */
async function moduleOf([name, given]: Source, wait: number, platform: Platform): Promise<WebAssembly.Module> {
  const source = typeof given === 'string' ? addressOf(name, given, platform) : given;
  const tag = tagOf(source);
  if (tag === '[object WebAssembly.Module]') return source as WebAssembly.Module;
  if (tag === '[object URL]') return platform.compile(source as URL, wait);
  if (tag === '[object ArrayBuffer]') return compileFile(new Uint8Array(source as ArrayBuffer), wait, platform, name);
  if (!ArrayBuffer.isView(source)) throw refusedValue(name, source, 'is not an address, bytes or a WebAssembly.Module');
  return compileFile(new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength), wait, platform, name);
}

/** What the caller gives, of the files in this order. */
function given(wasm: PhasorOptions['wasm'], order: readonly WasmFile[]): readonly Source[] {
  if (tagOf(wasm) !== '[object Object]' || !hasFields(wasm as object)) return [['wasm', wasm]];
  const files = plain(wasm, 'wasm') as Record<string, unknown>;
  const names = Object.keys(files);
  const other = names.find((name) => name !== 'simd' && name !== 'scalar');
  if (other !== undefined)
    throw refusal('wasm', `${other} is not one of its files, which are simd and scalar`, {
      code: 'unknown_name',
      allowed: ['simd', 'scalar'],
    });
  const sources = order.filter((file) => names.includes(file)).map((file): Source => [`wasm.${file}`, files[file]]);
  if (sources.length > 0) return sources;
  throw refusal('wasm', `${order.join(' or ')} is needed here; given is ${names.join(' and ') || 'neither'}`);
}

/** The files that would do, best first. */
function filesFor(variant: PhasorOptions['variant']): readonly WasmFile[] {
  const wanted = variant ?? 'auto';
  const chosen = chooseVariant(wanted);
  if (wanted === 'auto') return filesHere();
  return chosen === 'scalar' ? ['scalar'] : ['simd'];
}

/** Locates, loads and compiles the WebAssembly file that the options select. */
export async function compileOption({ wasm, variant, timeout }: PhasorOptions, platform: Platform): Promise<Compiled> {
  const order = filesFor(variant);
  const required = variant === 'auto' || isAbsent(variant) ? undefined : variant;
  const wait = waitOf(timeout);
  if (!isAbsent(wasm)) return { module: await firstModule(given(wasm, order), (source) => moduleOf(source, wait, platform)), required };
  try {
    return { module: await firstModule(filesOf(order, platform.ownFiles), (file) => compileFile(file, wait, platform)), required };
  } catch (thrown) {
    const failure = PhasorError.from(thrown);
    throw mayBeElsewhere(failure)
      ? new PhasorError(failure.code, `${failure.message}; ${platform.cure ?? 'pass wasm, or import phasor/inline'}`, failure)
      : failure;
  }
}
