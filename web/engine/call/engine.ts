// Wraps a WebAssembly module. Its `call` takes a request, and returns a result or throws a PhasorError.

import type { CreateModule, RawError, RawModule } from '#glue';
import { PhasorError } from '../errors.ts';
import type { CompiledModule } from '../load/compile.ts';
import { instantiate } from '../load/instantiate.ts';
import type { FlatRequest } from '../request/flat-request.ts';
import { OutArrays } from '../request/out-arrays.ts';
import type { Phasor } from '../types/api.ts';
import type { RawMethod } from './methods.ts';

export type EngineInfo = Pick<Phasor, 'variant' | 'version' | 'encodings'>;

export interface Engine {
  readonly info: EngineInfo;
  /** Computes synchronously. Throws `resource_exhausted` while no instance exists. */
  call(method: RawMethod, request: FlatRequest): unknown;
  /** Resolves when an instance exists: immediately, unless a call was interrupted. */
  ready(): Promise<void>;
}

function interruptionError(name: string, thrown: unknown, { program }: CompiledModule): PhasorError {
  const { message } = PhasorError.from(thrown);
  // If memory is exhausted, C++ code aborts, and JavaScript code throws a RangeError.
  const isOutOfMemory = thrown instanceof RangeError || message.startsWith('Aborted');
  return isOutOfMemory
    ? new PhasorError(
        'resource_exhausted',
        `${name}: out of memory; a WebAssembly instance has at most ${program === 'phasor-model' ? 4 : 2} GiB`,
      )
    : new PhasorError('internal', `${name}: the computation stopped (${message})`);
}

/**
 * @param createModule the Emscripten glue code for the compiled program
 * @param hasSpare whether to keep a spare instance for the call after an interrupted one, which would otherwise be rejected if it is synchronous,
 * because instances are created asynchronously. The memory of the spare instance is untouched until then.
 */
export async function openEngine(compiled: CompiledModule, createModule: CreateModule, { hasSpare = false } = {}): Promise<Engine> {
  const createInstance = () => instantiate(compiled, createModule);
  let activeInstance: RawModule | undefined;
  let spareInstance: RawModule | undefined;
  let pendingInstances: Promise<void> | undefined;
  const createInstances = async () => {
    while (!activeInstance || (hasSpare && !spareInstance)) {
      const newInstance = await createInstance();
      if (activeInstance) spareInstance = newInstance;
      else activeInstance = newInstance;
    }
  };
  const ensureInstances = () => {
    pendingInstances ??= createInstances().finally(() => {
      pendingInstances = undefined;
    });
    return pendingInstances;
  };
  const replaceInstance = () => {
    activeInstance = spareInstance;
    spareInstance = undefined;
    if (hasSpare) ensureInstances().catch(() => {}); // The next call retries and reports failures.
  };

  await ensureInstances();
  const { version, encodings } = (activeInstance as unknown as RawModule).describe();
  return {
    info: { variant: compiled.isFused ? 'relaxed' : 'simd', version, encodings },
    async ready() {
      while (!activeInstance) await ensureInstances();
    },
    // No checks here, because the core validates every argument and returns { error } on failure.
    call(method, { fields, numbers, arrays, out: slots }) {
      if (!activeInstance) {
        if (method === 'release') return {}; // The object was freed with its instance.
        ensureInstances().catch(() => {});
        throw new PhasorError('resource_exhausted', `${method}: the engine is restarting after interrupted calls; call again later`);
      }
      let result: object | RawError;
      const out = slots && new OutArrays(slots);
      try {
        result = activeInstance.call(method, fields, numbers, arrays, out);
      } catch (thrown) {
        // The exception did not unwind the WebAssembly frames, so this instance's stack and heap may be inconsistent.
        replaceInstance();
        throw interruptionError(method, thrown, compiled);
      }
      if (out?.refusal) throw out.refusal;
      if ('error' in result) throw new PhasorError(result.error.code, result.error.message, result.error);
      return result;
    },
  };
}
