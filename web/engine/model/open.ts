// Reads a checkpoint into an engine: the core names the bytes that it needs, at most 8 MiB at a time. In a page as in a worker this side reads them
// and transfers a copy, because files that are read by a function of the caller cannot be posted.

import { PhasorError, refusal } from '../errors.ts';
import { flatRequest } from '../request/flat-request.ts';
import { checkHooks, type Hooks } from '../request/hooks.ts';
import type { ModelInfo, ModelProgress } from '../types/api.ts';
import { bytesOf, type Checkpoint } from './checkpoint.ts';

/** The calls of phasor-model. */
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

/** A separate engine for one model. */
export interface ModelEngine {
  readonly variant: 'relaxed' | 'simd';
  readonly thread: 'worker' | 'same-thread';
  /** The response, or a PhasorError as a rejection. */
  call(name: CheckpointCall, request: ReturnType<typeof flatRequest>): Promise<unknown>;
  /** Lets others run before the next part. */
  pause(): Promise<void> | undefined;
  /** Frees its memory. */
  end(): void;
}

/** A response while files are read. Without a range the model is complete. */
interface Reading {
  readonly info?: ModelInfo;
  readonly range?: { readonly file: number; readonly begin: number; readonly size: number };
}

export interface Opening extends Hooks<ModelProgress> {
  /** Ends when the headers are read. */
  readonly isInspection?: boolean;
}

/** Maximum memory of an engine, and what a piece of a file needs of it while it is read: its bytes twice. */
const [MEMORY, PIECE] = [4 * 2 ** 30, 16 * 2 ** 20];

/** Rejects a model that no engine holds, before its weights are read. */
function checkMemory({ bytes }: ModelInfo): void {
  const megabytes = (count: number) => Math.round(count / 1e6);
  if (bytes + PIECE > MEMORY)
    throw refusal('weights', `they need ${megabytes(bytes)} MB of memory; expected at most ${megabytes(MEMORY - PIECE)} MB`, {
      code: 'resource_exhausted',
    });
}

/** Reads the files of a checkpoint. @returns what their headers say */
export async function readInto(engine: ModelEngine, { config, weights }: Checkpoint, opening: Opening): Promise<ModelInfo> {
  const { onProgress, signal, isInspection = false } = opening;
  checkHooks({ onProgress, signal });
  const total = weights.reduce((sum, { size }) => sum + size, 0);
  const before = weights.map((_, at) => weights.slice(0, at).reduce((sum, { size }) => sum + size, 0));
  const names = weights.map(({ name }) => name.replaceAll('\n', ' ')).join('\n');
  let loaded = 0;
  const checkSignal = () => {
    if (signal?.aborted) throw new PhasorError('cancelled', `openModel: it was cancelled after ${loaded} of ${total} bytes`);
  };
  checkSignal();
  let now = (await engine.call(
    'openModel',
    flatRequest('openModel', { config, names, sizes: weights.map(({ size }) => size) }),
  )) as Reading;
  let info = now.info;
  for (let { range } = now; range; range = now.range) {
    if (isInspection && info) return info;
    if (info) checkMemory(info);
    const file = weights[range.file];
    if (!file) throw new PhasorError('internal', `openModel: there is no file ${range.file}`);
    const { begin, size } = range;
    const bytes = await bytesOf(file, begin, begin + size);
    checkSignal();
    now = (await engine.call('giveBytes', flatRequest('giveBytes', { bytes }))) as Reading;
    // Headers are read before weights, which follow in the order of the files.
    loaded = info ? (before[range.file] ?? 0) + begin + size : 0;
    info ??= now.info;
    if (now.range) onProgress?.({ loaded, total });
    await engine.pause();
    checkSignal();
  }
  onProgress?.({ loaded: total, total });
  if (!info) throw new PhasorError('internal', 'openModel: the files were read without a model');
  return info;
}
