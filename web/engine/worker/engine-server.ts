// An engine that is called by messages. Results own their buffers, so they can be transferred instead of copied.

import phasor from '#glue';
import phasorNn from '#glue-nn';
import { type Engine, openEngine } from '../call/engine.ts';
import { PhasorError } from '../errors.ts';
import { buffers, type FromWorker, type ToWorker } from './messages.ts';

/** Each WebAssembly file with the glue that Emscripten has written for it. */
const GLUE = { phasor, 'phasor-nn': phasorNn };

export type Reply = (message: FromWorker, transfer?: ArrayBuffer[]) => void;

/** Replies in the order of the messages, except that of a start, which precedes all calls. */
export function engineServer(reply: Reply): { receive(message: ToWorker): void; fail(thrown: unknown): void } {
  let engine: Engine | undefined;

  async function respond(message: ToWorker): Promise<unknown> {
    if (message.kind === 'start') {
      engine = await openEngine(message.compiled, GLUE[message.compiled.program]);
      return engine.info;
    }
    if (!engine) throw new PhasorError('internal', 'the worker was called before it had started');
    await engine.ready();
    return engine.call(message.method, message.request);
  }

  function fail(thrown: unknown): void {
    const { code, message, argument, value, allowed } = PhasorError.from(thrown);
    reply({ kind: 'failure', code, message, about: { argument, value, allowed } });
  }

  const receive = (message: ToWorker) =>
    void respond(message)
      .then((value) => reply({ kind: 'answer', value }, buffers(value)))
      .catch(fail);
  return { receive, fail };
}
