// Runs in a worker: the engine of direct.ts behind messages. Answers own their buffers, so they are handed over, not copied.

import { directPhasor } from './direct.ts';
import { PhasorError } from './errors.ts';
import { instantiate } from './load.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import type { Phasor } from './types.ts';

declare const self: { postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void };

let phasor: Phasor | undefined;

/** The buffers of every array in an answer. */
function buffers(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffers) : [];
}

async function handle(message: ToWorker): Promise<void> {
  if (message.kind === 'start') {
    phasor = directPhasor(await instantiate(message.compiled.module), message.compiled.variant);
    const { variant, version, encodings } = phasor;
    self.postMessage({ kind: 'started', facts: { variant, version, encodings } });
    return;
  }
  if (!phasor) throw new PhasorError('internal', 'the worker was called before it had started');
  const method = phasor[message.method] as (...args: unknown[]) => unknown;
  const value = method(...message.args);
  self.postMessage({ kind: 'answer', id: message.id, value }, buffers(value));
}

addEventListener('message', (event) => {
  const message = event.data as ToWorker;
  handle(message).catch((thrown) => {
    const { code, message: text } = PhasorError.from(thrown);
    self.postMessage({ kind: 'failure', ...(message.kind === 'call' ? { id: message.id } : {}), code, message: text });
  });
});
