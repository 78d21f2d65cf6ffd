// Runs in a worker: an engine that is called by messages. Results own their buffers, so they are transferred, not copied.

import { type Engine, openEngine } from './engine.ts';
import { PhasorError } from './errors.ts';
import { buffers, type FromWorker, type ToWorker } from './messages.ts';

declare const self: { postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void };

let engine: Engine | undefined;

async function handle(message: ToWorker): Promise<unknown> {
  if (message.kind === 'start') {
    engine = await openEngine(message.compiled);
    return engine.info;
  }
  if (!engine) throw new PhasorError('internal', 'the worker was called before it had started');
  return engine.call(message.method, message.request);
}

function fail(thrown: unknown): void {
  const { code, message } = PhasorError.from(thrown);
  self.postMessage({ kind: 'failure', code, message });
}

addEventListener('message', (event) => {
  handle(event.data as ToWorker)
    .then((value) => self.postMessage({ kind: 'answer', value }, buffers(value)))
    .catch(fail);
});
addEventListener('messageerror', () =>
  fail(new PhasorError('resource_exhausted', 'the worker ran out of memory while receiving the request')),
);
