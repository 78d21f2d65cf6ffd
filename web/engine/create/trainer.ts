// The function that creates a trainer on the calling thread, for one platform.

import createModule from '#glue-nn';
import { openEngine } from '../call/engine.ts';
import { compileOption } from '../load/wasm-option.ts';
import type { Platform } from '../platform/platform.ts';
import { readOptions } from '../request/options.ts';
import { isPortable, type TrainerEngine, trainerIn } from '../train/trainer.ts';
import type { PhasorOptions, TrainConfig, Trainer } from '../types/api.ts';
import { disposed } from '../worker/remote.ts';
import { PHASOR_OPTION_NAMES } from './direct.ts';

/** The longest time in milliseconds for which training steps block the calling thread: less than a frame at 60 Hz. */
const TURN = 12;

/** Yields to the event loop after that time. */
function turns(): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < TURN) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        began = performance.now();
        resolve();
      });
    });
  };
}

export const trainerCreator = (platform: Platform) =>
  async function createTrainer(config: TrainConfig, options: PhasorOptions = {}): Promise<Trainer> {
    const mayFuse = !isPortable(config);
    const compiled = await compileOption(readOptions(options, PHASOR_OPTION_NAMES), platform, mayFuse);
    let engine: Awaited<ReturnType<typeof openEngine>> | undefined = await openEngine(compiled, createModule);
    const own: TrainerEngine = {
      variant: engine.info.variant,
      thread: 'same-thread',
      call: async (name, request) => {
        await engine?.ready();
        if (!engine) throw disposed();
        return engine.call(name, request);
      },
      pause: turns(),
      end: () => {
        engine = undefined; // and its memory with it
      },
    };
    return trainerIn(own, config);
  };
