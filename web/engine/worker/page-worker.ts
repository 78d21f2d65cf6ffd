// Starts the engine for a page of this site in a worker. Notebooks pass a fallback because they may forbid workers. The engine does not use
// relaxed SIMD, so that figures are identical on every machine.
import workerSource from '#worker-source';
import type { PhasorError } from '../errors.ts';
import { type CompiledModule, compileFile, compileFirst, DEFAULT_TIMEOUT_MS } from '../load/compile.ts';
import { checkWebAssembly } from '../load/simd.ts';
import { browser } from '../platform/browser.ts';
import type { Platform } from '../platform/platform.ts';
import type { RemotePhasor } from '../types/api.ts';
import { createRemotePhasor, type RemoteInfo } from './remote.ts';
import { WorkerClient } from './worker-client.ts';

/** Whether an error means that the page cannot start workers, for example because of its Content-Security-Policy. */
export const isWorkerBlocked = ({ code, argument }: PhasorError): boolean =>
  code === 'worker_unavailable' || (code === 'blocked_by_csp' && argument === 'worker');

export interface PageWorker {
  readonly client: WorkerClient;
  readonly info: RemoteInfo;
}

/** Starts a worker. If the page forbids workers, the fallback is imported and started instead. */
export async function startPageWorker(
  { module, program }: Pick<CompiledModule, 'module' | 'program'>,
  fallback?: () => Promise<typeof import('./same-thread.ts')>,
): Promise<PageWorker> {
  const compiled = { module, program, isFused: false };
  const client = new WorkerClient(() => browser.start(workerSource), compiled);
  try {
    return { client, info: { ...(await client.start()), thread: 'worker' } };
  } catch (thrown) {
    const fallbackReason = thrown as PhasorError;
    if (!fallback || !isWorkerBlocked(fallbackReason)) throw thrown;
    const sameThreadClient = new WorkerClient((await fallback()).sameThread, compiled);
    return { client: sameThreadClient, info: { ...(await sameThreadClient.start()), thread: 'same-thread', fallbackReason } };
  }
}

/**
 * Creates an engine. `packageFiles` lists candidate URLs of the WebAssembly file; default: phasor.wasm beside this script.
 * @param fallback imports an engine that runs on the main thread if the page forbids workers; without it, the promise rejects
 */
export async function createPageEngine(
  { program, packageFiles }: Pick<Platform, 'program' | 'packageFiles'> = browser,
  fallback?: () => Promise<typeof import('./same-thread.ts')>,
): Promise<RemotePhasor> {
  checkWebAssembly();
  const module = await compileFirst(packageFiles(), (file) => compileFile(file, DEFAULT_TIMEOUT_MS, browser));
  const { client, info } = await startPageWorker({ module, program }, fallback);
  return createRemotePhasor(client, info);
}
