import { directPhasor } from './direct.ts';
import { readOptions } from './options.ts';
import type { Platform } from './platform.ts';
import type { Phasor, PhasorOptions } from './types.ts';
import { compileOption } from './wasm-option.ts';

/** The names of PhasorOptions. */
export const LOADING = ['wasm', 'variant', 'timeout'] as const;

/** The function that creates an engine on the calling thread of one platform. */
export const directCreator = (platform: Platform) =>
  async function createPhasor(options: PhasorOptions = {}): Promise<Phasor> {
    return directPhasor(await compileOption(readOptions(options, LOADING), platform));
  };
