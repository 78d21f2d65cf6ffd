// The WebAssembly of a page that is one file, unpacked once for its engine and its trainers.
import { unpack } from './unpack.ts';

let bytes: Promise<Uint8Array<ArrayBuffer>> | undefined;

/** Only this one is in the file: a browser that can unpack it has SIMD, except on processors of before 2008, which are told so. */
export function engineBytes(): Promise<Uint8Array<ArrayBuffer>> {
  bytes ??= unpack('engine')
    .arrayBuffer()
    .then((buffer) => new Uint8Array(buffer));
  return bytes;
}
