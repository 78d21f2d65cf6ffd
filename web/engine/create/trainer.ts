// Returns `createTrainer` for a platform (browsers or Node). It creates a trainer on the calling thread.

import createModule from '#glue-nn';
import { compileWasm } from '../load/wasm-option.ts';
import type { Platform } from '../platform/platform.ts';
import { readOptions } from '../request/options.ts';
import { createTrainerIn, isPortable } from '../train/trainer.ts';
import type { PhasorOptions, TrainConfig, Trainer } from '../types/api.ts';
import { PHASOR_OPTION_NAMES } from './option-names.ts';
import { createDedicatedEngine } from './own-engine.ts';

export const trainerCreator = (platform: Platform) =>
  async function createTrainer(config: TrainConfig, options: PhasorOptions = {}): Promise<Trainer> {
    const mayFuse = !isPortable(config);
    const compiled = await compileWasm(readOptions(options, PHASOR_OPTION_NAMES), platform, mayFuse);
    return createTrainerIn(await createDedicatedEngine(compiled, createModule), config);
  };
