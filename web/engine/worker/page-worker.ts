// An engine in a worker for our own pages, which give no options and have no use for a second copy of the engine on their own thread. A picture is
// the same on every machine, to the last bit of its numbers.
import workerSource from '#worker-source';
import { compileFile, filesOf, firstModule, WAIT } from '../load/compile.ts';
import { filesHere } from '../load/simd.ts';
import { browser } from '../platform/browser.ts';
import type { RemotePhasor } from '../types/api.ts';
import { remotePhasor } from './remote.ts';
import { WorkerClient } from './worker-client.ts';

/** @param files where the WebAssembly is, if not beside this script */
export async function createPhasorWorker(files = browser.ownFiles): Promise<RemotePhasor> {
  const module = await firstModule(filesOf(filesHere(), files), (file) => compileFile(file, WAIT, browser));
  const client = new WorkerClient(() => browser.start(workerSource), { module, required: undefined, mayFuse: false });
  return remotePhasor(client, { ...(await client.start()), thread: 'worker' });
}
