import workerSource from '#worker-source';
import { directPhasor } from './direct.ts';
import { compile } from './load.ts';
import { readOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { poolPhasor, workerCount } from './pool.ts';
import { remotePhasor } from './remote.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor } from './types.ts';
import { WorkerClient } from './worker-client.ts';

const OPTIONS = ['wasm', 'variant'] as const;

/** The functions that create an engine, for one platform. */
export function creators(platform: Platform) {
  const open = () => platform.start(workerSource);
  return {
    async createPhasor(options: PhasorOptions = {}): Promise<Phasor> {
      return directPhasor(await compile(readOptions(options, OPTIONS), platform));
    },

    async createPhasorWorker(options: PhasorOptions = {}): Promise<RemotePhasor> {
      const client = new WorkerClient(open, await compile(readOptions(options, OPTIONS), platform));
      return remotePhasor(client, await client.start());
    },

    async createPhasorPool(given: PoolOptions = {}): Promise<PhasorPool> {
      const { workers, ...options } = readOptions(given, [...OPTIONS, 'workers']);
      const count = workerCount(workers, platform.cores());
      const compiled = await compile(options, platform);
      const first = new WorkerClient(open, compiled);
      const others = Array.from({ length: count - 1 }, () => new WorkerClient(open, compiled));
      return poolPhasor([first, ...others], await first.start());
    },
  };
}
