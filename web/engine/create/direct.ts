import { createDirectPhasor } from '../call/direct.ts';
import { compileWasm } from '../load/wasm-option.ts';
import type { Platform } from '../platform/platform.ts';
import { readOptions } from '../request/options.ts';
import type { Phasor, PhasorOptions } from '../types/api.ts';
import { PHASOR_OPTION_NAMES } from './option-names.ts';

/** Returns `createPhasor` for a platform (browsers or Node). It creates an engine on the calling thread. */
export const directCreator = (platform: Platform) =>
  async function createPhasor(options: PhasorOptions = {}): Promise<Phasor> {
    return createDirectPhasor(await compileWasm(readOptions(options, PHASOR_OPTION_NAMES), platform));
  };
