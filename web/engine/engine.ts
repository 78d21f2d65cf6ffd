// The WebAssembly module as one function: a request goes in, an answer or a PhasorError comes out; never the heap.

import type { RawError, RawModule } from '#glue';
import { PhasorError } from './errors.ts';
import type { FlatRequest } from './flat-request.ts';
import { type Compiled, instantiate, instantiateNow } from './load.ts';
import type { Method } from './methods.ts';
import type { Phasor } from './types.ts';

/** What is known of an engine without calling it. */
export type Facts = Pick<Phasor, 'variant' | 'version' | 'encodings'>;

export interface Engine {
  readonly facts: Facts;
  call(method: Method, request: FlatRequest): unknown;
}

/** What a call that did not come to its end says of itself. */
function stopped(name: string, thrown: unknown): PhasorError {
  const { message } = PhasorError.from(thrown);
  // C++ aborts when it gets no memory, JavaScript throws a RangeError.
  const memory = thrown instanceof RangeError || message.startsWith('Aborted');
  return memory
    ? new PhasorError('resource_exhausted', `${name}: the memory did not suffice; a WebAssembly instance has at most 2 GiB`)
    : new PhasorError('internal', `${name}: the computation stopped (${message})`);
}

export async function openEngine({ module, wanted }: Compiled): Promise<Engine> {
  let raw: RawModule | undefined = await instantiate(module);
  const facts = { variant: raw.variant(), version: raw.version(), encodings: raw.encodings() };
  if (wanted && wanted !== facts.variant) {
    throw new PhasorError('invalid_argument', `variant: "${wanted}" is not what wasm is: "${facts.variant}"`);
  }
  return {
    facts,
    // Answers are {…} or {error}; the core validates every argument, so nothing is checked twice here.
    call(method, { fields, numbers, arrays }) {
      let answer: object | RawError;
      try {
        raw ??= instantiateNow(module);
        answer = raw.call(method, fields, numbers, arrays);
      } catch (thrown) {
        // What was thrown went through WebAssembly that did not unwind: its stack and its heap are not to be trusted any more.
        raw = undefined;
        throw stopped(method, thrown);
      }
      if ('error' in answer) throw new PhasorError(answer.error.code, answer.error.message);
      return answer;
    },
  };
}
