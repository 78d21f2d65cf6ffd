// A separate engine on the calling thread for one trainer or one model. Ending it frees all memory.

import type { CreateModule } from '#glue';
import { openEngine } from '../call/engine.ts';
import type { RawMethod } from '../call/methods.ts';
import type { CompiledModule } from '../load/compile.ts';
import type { FlatRequest } from '../request/flat-request.ts';
import type { Variant } from '../types/api.ts';
import { disposedError } from '../worker/remote.ts';

/** Time in ms after which a long call yields to the event loop, before its next step: less than a frame at 60 Hz. */
const MAX_BLOCKING_MS = 12;

/** Returns a function that yields to the event loop if at least MAX_BLOCKING_MS have passed since it last yielded. */
function createYielder(): () => Promise<void> | undefined {
  let startTime = performance.now();
  return () => {
    if (performance.now() - startTime < MAX_BLOCKING_MS) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        startTime = performance.now();
        resolve();
      });
    });
  };
}

/** A separate engine for one trainer or one model, on any thread. */
export interface DedicatedEngine {
  readonly variant: Variant;
  readonly thread: 'worker' | 'same-thread';
  /** Resolves to the response, or rejects with a PhasorError. */
  call(name: RawMethod, request: FlatRequest): Promise<unknown>;
  /** Called between the steps of a long computation. Yields to the event loop if necessary. */
  pause(): Promise<void> | undefined;
  end(): void;
}

export async function createDedicatedEngine(compiled: CompiledModule, createModule: CreateModule): Promise<DedicatedEngine> {
  let engine: Awaited<ReturnType<typeof openEngine>> | undefined = await openEngine(compiled, createModule);
  return {
    variant: engine.info.variant,
    thread: 'same-thread',
    call: async (name, request) => {
      await engine?.ready();
      if (!engine) throw disposedError();
      return engine.call(name, request);
    },
    pause: createYielder(),
    end: () => {
      engine = undefined;
    },
  };
}
