import { PhasorError } from './errors.ts';
import type { Compiled } from './load.ts';
import type { FromWorker, Method, ToWorker } from './messages.ts';
import type { Thread } from './platform.ts';
import type { Phasor, RemotePhasor } from './types.ts';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: PhasorError): void;
}

/** The engine in a thread: the same methods, each returning a promise. Calls are answered in the order they were made. */
export function remotePhasor(thread: Thread, compiled: Compiled): Promise<RemotePhasor> {
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let ended: PhasorError | undefined;

  const end = (error: PhasorError) => {
    ended ??= error;
    for (const call of waiting.values()) call.reject(error);
    waiting.clear();
    thread.terminate();
  };

  const send = (message: ToWorker) => thread.post(message, []);

  const call = (method: Method, args: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      if (ended) return reject(ended);
      const id = next++;
      try {
        send({ kind: 'call', id, method, args });
      } catch (thrown) {
        return reject(
          new PhasorError('invalid_argument', `${method}: the request cannot be sent to the worker (${PhasorError.from(thrown).message})`),
        );
      }
      waiting.set(id, { resolve, reject });
    });

  const facade = (facts: Pick<Phasor, 'variant' | 'version' | 'encodings'>): RemotePhasor => {
    const methods = new Proxy({} as Record<Method, unknown>, {
      // `then` must stay undefined: a promise that resolves with this object would otherwise call it.
      get: (_, name) => (typeof name === 'string' && name !== 'then' ? (...args: unknown[]) => call(name as Method, args) : undefined),
    });
    return Object.assign(Object.create(methods) as RemotePhasor, facts, {
      dispose: () => end(new PhasorError('internal', 'the worker was disposed')),
    });
  };

  return new Promise((resolve, reject) => {
    thread.onError((error) => {
      const failure = new PhasorError('internal', `the worker stopped: ${error.message}`);
      reject(failure);
      end(failure);
    });
    thread.onMessage((data) => {
      const message = data as FromWorker;
      if (message.kind === 'started') return resolve(facade(message.facts));
      if (message.kind === 'failure' && message.id === undefined) {
        const failure = new PhasorError(message.code, message.message);
        reject(failure);
        return end(failure);
      }
      const call = waiting.get(message.id as number);
      waiting.delete(message.id as number);
      if (message.kind === 'answer') call?.resolve(message.value);
      else call?.reject(new PhasorError(message.code, message.message));
    });
    send({ kind: 'start', compiled });
  });
}
