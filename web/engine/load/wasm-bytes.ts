// Compiles the bytes of a WebAssembly file and explains failures.

import { PhasorError } from '../errors.ts';
import { policyError, watchPolicy } from './policy.ts';

const MAGIC = [0, 97, 115, 109, 1, 0, 0, 0];
/** The start of an HTML page: a tag after an optional byte order mark and white space. */
const HTML_START = /^(\u00ef\u00bb\u00bf)?\s*</;
const SEARCHED_BYTE_COUNT = 64; // number of bytes that are searched for a tag

/** Returns the end of the last section that starts within the bytes of a module. For a truncated module, it is beyond the last byte. */
function findDeclaredEnd(bytes: Uint8Array): number {
  let at = MAGIC.length;
  while (at < bytes.length) {
    let sectionSize = 0;
    let byte = 0;
    let bitShift = 0;
    at += 1;
    do {
      byte = bytes[at++] ?? 0;
      sectionSize += (byte & 127) * 2 ** bitShift;
      bitShift += 7;
    } while (byte > 127);
    at += sectionSize;
  }
  return at;
}

/** Returns why the bytes are not a module, as an error code and a clause, or undefined if they look like a module. */
export function findWasmProblem(bytes: Uint8Array): readonly ['not_wasm' | 'truncated', string] | undefined {
  if (bytes.length === 0) return ['truncated', 'is empty'];
  if (MAGIC.every((byte, i) => i >= bytes.length || byte === bytes[i])) {
    return findDeclaredEnd(bytes) > bytes.length ? ['truncated', `ends after ${bytes.length} bytes`] : undefined;
  }
  if (HTML_START.test(String.fromCharCode(...bytes.subarray(0, SEARCHED_BYTE_COUNT))))
    return ['not_wasm', 'is an HTML page, not WebAssembly'];
  const firstBytes = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return ['not_wasm', `begins with ${firstBytes}, which is not WebAssembly`];
}

/** Compiles the bytes of a file. `createError` creates the error to throw if they are invalid. */
export async function compileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  createError: (code: 'not_wasm' | 'truncated', reason: string) => PhasorError,
): Promise<WebAssembly.Module> {
  const policy = watchPolicy();
  try {
    return await WebAssembly.compile(bytes);
  } catch (thrown) {
    const { message } = PhasorError.from(thrown);
    const problem = findWasmProblem(bytes);
    if (problem) throw createError(...problem);
    const directive = await policy.directive((blocked) => /eval/.test(blocked));
    if (directive || /unsafe-eval|disallowed|\bCSP\b/.test(message)) {
      throw policyError('wasm', directive ?? 'script-src', "it must allow 'wasm-unsafe-eval'");
    }
    throw createError('not_wasm', message);
  } finally {
    policy.stop();
  }
}
