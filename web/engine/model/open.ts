// Reads a checkpoint into an engine. The core requests ranges of at most 8 MiB. This thread reads them, because the caller's `read`
// functions cannot be posted to a worker.

import { argumentError, PhasorError } from '../errors.ts';
import { serializeRequest } from '../request/flat-request.ts';
import { checkHooks, type Hooks } from '../request/hooks.ts';
import type { ModelInfo, ModelProgress } from '../types/api.ts';
import { type Checkpoint, readBytes } from './checkpoint.ts';

export const checkpointCalls = [
  'openModel',
  'giveBytes',
  'ggufMetadata',
  'run',
  'attention',
  'queryKeyStates',
  'createCache',
  'release',
] as const;
export type CheckpointCall = (typeof checkpointCalls)[number];

/** An engine that runs a single model. */
export interface ModelEngine {
  readonly variant: 'relaxed' | 'simd';
  readonly thread: 'worker' | 'same-thread';
  /** Resolves to the response; rejects with a PhasorError. */
  call(name: CheckpointCall, request: ReturnType<typeof serializeRequest>): Promise<unknown>;
  /** Yields to the event loop if enough time has passed. */
  pause(): Promise<void> | undefined;
  end(): void;
}

/** The engine's response while files are being read. `range` is the next range to read; it is absent once the model is complete. */
interface ReadResponse {
  readonly info?: ModelInfo;
  readonly range?: { readonly file: number; readonly begin: number; readonly size: number };
}

export interface ReadOptions extends Hooks<ModelProgress> {
  readonly stopsAfterHeaders?: boolean;
}

/** The memory that WebAssembly can address. */
const MAX_MEMORY_BYTES = 4 * 2 ** 30;
/** Memory that a chunk of 8 MiB needs while it is read: one copy in JavaScript and one in WebAssembly. */
const CHUNK_MEMORY_BYTES = 16 * 2 ** 20;

/** Rejects a model that does not fit into WebAssembly memory, before its weights are read. */
function checkMemory({ bytes }: ModelInfo): void {
  const toMegabytes = (byteCount: number) => Math.round(byteCount / 1e6);
  if (bytes + CHUNK_MEMORY_BYTES > MAX_MEMORY_BYTES)
    throw argumentError(
      'weights',
      `require ${toMegabytes(bytes)} MB of memory; expected at most ${toMegabytes(MAX_MEMORY_BYTES - CHUNK_MEMORY_BYTES)} MB`,
      {
        code: 'resource_exhausted',
      },
    );
}

/**
 * Reads the files of a checkpoint.
 * @returns the properties of the model
 */
export async function loadModelFiles(engine: ModelEngine, { config, weights }: Checkpoint, readOptions: ReadOptions): Promise<ModelInfo> {
  const { onProgress, signal, stopsAfterHeaders = false } = readOptions;
  checkHooks({ onProgress, signal });
  const totalBytes = weights.reduce((sum, { size }) => sum + size, 0);
  const fileOffsets = weights.map((_, index) => weights.slice(0, index).reduce((sum, { size }) => sum + size, 0));
  const fileNames = weights.map(({ name }) => name.replaceAll('\n', ' ')).join('\n');
  let loadedBytes = 0;
  const checkSignal = () => {
    if (signal?.aborted) throw new PhasorError('cancelled', `openModel: cancelled after ${loadedBytes} of ${totalBytes} bytes`);
  };
  checkSignal();
  let response = (await engine.call(
    'openModel',
    serializeRequest('openModel', { config, names: fileNames, sizes: weights.map(({ size }) => size) }),
  )) as ReadResponse;
  let info = response.info;
  for (let { range } = response; range; range = response.range) {
    if (stopsAfterHeaders && info) return info;
    if (info) checkMemory(info);
    const file = weights[range.file];
    if (!file) throw new PhasorError('internal', `openModel: file ${range.file} does not exist`);
    const { begin, size } = range;
    const bytes = await readBytes(file, begin, begin + size);
    checkSignal();
    response = (await engine.call('giveBytes', serializeRequest('giveBytes', { bytes }))) as ReadResponse;
    // Progress is 0 until the headers have been read. The weights are then read file by file, from start to end.
    loadedBytes = info ? (fileOffsets[range.file] ?? 0) + begin + size : 0;
    info ??= response.info;
    if (response.range) onProgress?.({ loaded: loadedBytes, total: totalBytes });
    await engine.pause();
    checkSignal();
  }
  onProgress?.({ loaded: totalBytes, total: totalBytes });
  if (!info) throw new PhasorError('internal', 'openModel: all files were read, but no model was returned');
  return info;
}
