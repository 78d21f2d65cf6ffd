// Runs in a worker: the engine of direct.ts behind messages. Answers own their buffers, so they are handed over, not copied.

import { directPhasor } from './direct.ts';
import { PhasorError } from './errors.ts';
import { buffers, type Facts, type FromWorker, type ToWorker } from './messages.ts';
import type { Phasor } from './types.ts';

declare const self: { postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void };

let phasor: Phasor | undefined;

async function answer(message: ToWorker): Promise<unknown> {
  if (message.kind === 'start') {
    phasor = await directPhasor(message.compiled);
    const { variant, version, encodings } = phasor;
    return { variant, version, encodings } satisfies Facts;
  }
  if (!phasor) throw new PhasorError('internal', 'the worker was called before it had started');
  const method = phasor[message.method] as (...args: unknown[]) => unknown;
  return method(...message.args);
}

function fail(thrown: unknown): void {
  const { code, message } = PhasorError.from(thrown);
  self.postMessage({ kind: 'failure', code, message });
}

addEventListener('message', (event) => {
  answer(event.data as ToWorker)
    .then((value) => self.postMessage({ kind: 'answer', value }, buffers(value)))
    .catch(fail);
});
addEventListener('messageerror', () => fail(new PhasorError('resource_exhausted', 'the worker had no memory for the request')));
