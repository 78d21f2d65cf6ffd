// Runs an engine whose calls arrive as messages. Result buffers are transferred instead of copied, because nothing else uses them.

import type { CreateModule } from '#glue';
import { type Engine, openEngine } from '../call/engine.ts';
import { argumentError, PhasorError } from '../errors.ts';
import type { Program } from '../platform/platform.ts';
import { listBuffers, type WorkerReply, type WorkerRequest } from './messages.ts';

/** The Emscripten glue of each WebAssembly file that a worker script can run. */
export type Glue = { readonly [K in Program]?: CreateModule };

export type SendReply = (message: WorkerReply, transfer?: ArrayBuffer[]) => void;

/** Replies to messages in order of arrival. The client must wait for the reply to `start` before its first call. */
export function createEngineServer(glue: Glue, reply: SendReply): { receive(message: WorkerRequest): void; fail(thrown: unknown): void } {
  let engine: Engine | undefined;

  async function respond(message: WorkerRequest): Promise<unknown> {
    if (message.kind === 'start') {
      const { program } = message.compiled;
      const createModule = glue[program];
      if (!createModule)
        throw argumentError('worker', `this script does not run ${program}.wasm; expected the worker script of the imported module`);
      engine = await openEngine(message.compiled, createModule);
      return engine.info;
    }
    if (!engine) throw new PhasorError('internal', 'the worker was called before it was started');
    await engine.ready();
    return engine.call(message.method, message.request);
  }

  function reportFailure(thrown: unknown): void {
    const { code, message, argument, value, allowed } = PhasorError.from(thrown);
    reply({ kind: 'failure', code, message, details: { argument, value, allowed } });
  }

  const receive = (message: WorkerRequest) =>
    void respond(message)
      .then((value) => reply({ kind: 'answer', value }, listBuffers(value)))
      .catch(reportFailure);
  return { receive, fail: reportFailure };
}
