import workerSource from '#worker-source';
import { compile } from './compile.ts';
import { directPhasor } from './direct.ts';
import { readOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { poolPhasor, workerCount } from './pool.ts';
import { remotePhasor } from './remote.ts';
import type { Phasor, PhasorOptions, PhasorPool, PoolOptions, RemotePhasor } from './types.ts';
import { WorkerClient } from './worker-client.ts';

const OPTIONS = ['wasm', 'variant'] as const;

// Functions that create an engine, for one platform. Each is made on its own, so that bundlers leave out what a page does not call.

export const directCreator = (platform: Platform) =>
  async function createPhasor(options: PhasorOptions = {}): Promise<Phasor> {
    return directPhasor(await compile(readOptions(options, OPTIONS), platform));
  };

export const workerCreator = (platform: Platform) =>
  async function createPhasorWorker(options: PhasorOptions = {}): Promise<RemotePhasor> {
    const client = new WorkerClient(() => platform.start(workerSource), await compile(readOptions(options, OPTIONS), platform));
    return remotePhasor(client, await client.start());
  };

export const poolCreator = (platform: Platform) =>
  async function createPhasorPool(given: PoolOptions = {}): Promise<PhasorPool> {
    const { workers, ...options } = readOptions(given, [...OPTIONS, 'workers']);
    const count = workerCount(workers, platform.cores());
    const compiled = await compile(options, platform);
    const open = () => platform.start(workerSource);
    const first = new WorkerClient(open, compiled);
    const others = Array.from({ length: count - 1 }, () => new WorkerClient(open, compiled));
    return poolPhasor([first, ...others], await first.start());
  };
