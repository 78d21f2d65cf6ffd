import workerSource from '#worker-source';
import { directPhasor } from './direct.ts';
import { compile, instantiate } from './load.ts';
import type { Platform } from './platform.ts';
import { remotePhasor } from './remote.ts';
import type { Phasor, PhasorOptions, RemotePhasor } from './types.ts';

/** The two ways to get an engine, for one platform. */
export function creators(platform: Platform) {
  return {
    async createPhasor(options: PhasorOptions = {}): Promise<Phasor> {
      const { module, variant } = await compile(options, platform);
      return directPhasor(await instantiate(module), variant);
    },

    async createPhasorWorker(options: PhasorOptions = {}): Promise<RemotePhasor> {
      const compiled = await compile(options, platform);
      return remotePhasor(platform.start(workerSource), compiled);
    },
  };
}
