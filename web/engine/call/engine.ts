// The WebAssembly module as one function: it takes a request and returns a result or throws a PhasorError; the heap stays inside.

import type { RawError, RawModule } from '#glue';
import { PhasorError } from '../errors/errors.ts';
import type { Compiled } from '../load/compile.ts';
import { fuse, hasRelaxedSimd } from '../load/fused.ts';
import { instantiate, instantiateNow } from '../load/instantiate.ts';
import type { FlatRequest } from '../request/flat-request.ts';
import { OutArrays } from '../request/out-arrays.ts';
import { refusedValue } from '../request/refused-value.ts';
import type { Phasor } from '../types/api.ts';
import type { RawMethod } from './methods.ts';

/** The properties of an engine: variant, version and encodings. */
export type EngineInfo = Pick<Phasor, 'variant' | 'version' | 'encodings'>;

export interface Engine {
  readonly info: EngineInfo;
  call(method: RawMethod, request: FlatRequest): unknown;
}

/** The error for a call that was interrupted by an exception. */
function interrupted(name: string, thrown: unknown): PhasorError {
  const { message } = PhasorError.from(thrown);
  // Out of memory, C++ aborts and JavaScript throws a RangeError.
  const memory = thrown instanceof RangeError || message.startsWith('Aborted');
  return memory
    ? new PhasorError('resource_exhausted', `${name}: out of memory; a WebAssembly instance has at most 2 GiB`)
    : new PhasorError('internal', `${name}: the computation stopped (${message})`);
}

export async function openEngine({ module, required, mayFuse: isAllowed = true }: Compiled): Promise<Engine> {
  const mayFuse = isAllowed && (required ?? 'relaxed') === 'relaxed' && hasRelaxedSimd();
  let isFused = false;
  let raw: RawModule | undefined = await instantiate(module, (instance) => {
    isFused = mayFuse && fuse(module, instance);
  });
  const { variant: file, version, encodings } = raw.describe();
  const info = { variant: isFused ? ('relaxed' as const) : file, version, encodings };
  if (required && required !== info.variant) {
    throw refusedValue('variant', required, `does not match wasm, which is "${info.variant}"`);
  }
  // A new instance gives the same bits as that.
  const again = (instance: WebAssembly.Instance) => {
    if (isFused && !fuse(module, instance)) throw new RangeError('no memory is left for the fused loops');
  };
  return {
    info,
    // The result is {...} or {error}. The core validates every argument, so nothing is checked again here.
    call(method, { fields, numbers, arrays, out: slots }) {
      if (method === 'release' && !raw) return {}; // it is gone with its instance
      let answer: object | RawError;
      const out = slots && new OutArrays(slots);
      try {
        raw ??= instantiateNow(module, again);
        answer = raw.call(method, fields, numbers, arrays, out);
      } catch (thrown) {
        // The exception passed through WebAssembly frames without unwinding them, so the stack and the heap can no longer be trusted.
        raw = undefined;
        throw interrupted(method, thrown);
      }
      if (out?.refusal) throw out.refusal;
      if ('error' in answer) throw new PhasorError(answer.error.code, answer.error.message, answer.error);
      return answer;
    },
  };
}
