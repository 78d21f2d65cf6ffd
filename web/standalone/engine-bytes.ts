// The WebAssembly of a single-file page. It is decompressed only once for the engine and the trainers.
import { unpack } from './unpack.ts';

let pendingBytes: Promise<Uint8Array<ArrayBuffer>> | undefined;

export function unpackEngine(): Promise<Uint8Array<ArrayBuffer>> {
  pendingBytes ??= unpack('engine')
    .arrayBuffer()
    .then((buffer) => new Uint8Array(buffer));
  return pendingBytes;
}
