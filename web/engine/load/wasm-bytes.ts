// Compiles the bytes of a WebAssembly file, and explains why it fails.

import { PhasorError } from '../errors.ts';
import { forbidden, watchPolicy } from './policy.ts';

const MAGIC = [0, 97, 115, 109, 1, 0, 0, 0];
/** An HTML page begins with a tag, after a byte order mark and white space. */
const PAGE = /^(\u00ef\u00bb\u00bf)?\s*</;
const START = 64; // bytes that are searched for a tag

/** The end of the last section that starts within the bytes of a module: beyond the last byte if the module is truncated. */
function declaredEnd(bytes: Uint8Array): number {
  let at = MAGIC.length;
  while (at < bytes.length) {
    let size = 0;
    let byte = 0;
    let shift = 0;
    at += 1;
    do {
      byte = bytes[at++] ?? 0;
      size += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte > 127);
    at += size;
  }
  return at;
}

/** Why the bytes are not a module, as an error code and a clause; undefined if they look like one. */
export function wasmProblem(bytes: Uint8Array): readonly ['not_wasm' | 'truncated', string] | undefined {
  if (bytes.length === 0) return ['truncated', 'is empty'];
  if (MAGIC.every((byte, i) => i >= bytes.length || byte === bytes[i])) {
    return declaredEnd(bytes) > bytes.length ? ['truncated', `ends after ${bytes.length} bytes`] : undefined;
  }
  if (PAGE.test(String.fromCharCode(...bytes.subarray(0, START)))) return ['not_wasm', 'is an HTML page, not WebAssembly'];
  const start = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return ['not_wasm', `begins with ${start}, which is not WebAssembly`];
}

/** Compiles the bytes of a file; `lost` creates the error if they are invalid. */
export async function compileBytes(
  bytes: Uint8Array<ArrayBuffer>,
  lost: (code: 'not_wasm' | 'truncated', why: string) => PhasorError,
): Promise<WebAssembly.Module> {
  const policy = watchPolicy();
  try {
    return await WebAssembly.compile(bytes);
  } catch (thrown) {
    const { message } = PhasorError.from(thrown);
    const problem = wasmProblem(bytes);
    if (problem) throw lost(...problem);
    const directive = await policy.directive((blocked) => /eval/.test(blocked));
    if (directive || /unsafe-eval|disallowed|\bCSP\b/.test(message)) {
      throw forbidden('wasm', directive ?? 'script-src', "it must allow 'wasm-unsafe-eval'");
    }
    throw lost('not_wasm', message);
  } finally {
    policy.stop();
  }
}
