// An engine in a worker for pages of this site, which set no options and need no fallback on their own thread. Without relaxed SIMD, so that
// pictures are bitwise equal on every machine.
import workerSource from '#worker-source';
import { compileFile, firstModule, WAIT } from '../load/compile.ts';
import { checkWebAssembly } from '../load/simd.ts';
import { browser } from '../platform/browser.ts';
import type { Platform } from '../platform/platform.ts';
import type { RemotePhasor } from '../types/api.ts';
import { remotePhasor } from './remote.ts';
import { WorkerClient } from './worker-client.ts';

/** @param source the WebAssembly file and its URL; default: phasor.wasm beside this script */
export async function createPhasorWorker({ program, ownFiles }: Pick<Platform, 'program' | 'ownFiles'> = browser): Promise<RemotePhasor> {
  checkWebAssembly();
  const module = await firstModule(ownFiles(), (file) => compileFile(file, WAIT, browser));
  const client = new WorkerClient(() => browser.start(workerSource), { module, program, isFused: false });
  return remotePhasor(client, { ...(await client.start()), thread: 'worker' });
}
