// Runs an engine on the calling thread behind the message interface of a worker.

import type { WorkerPort } from '../platform/platform.ts';
import { createEngineServer, type Glue } from './engine-server.ts';
import type { WorkerRequest } from './messages.ts';

/** Returns a function that opens ports. A port handles each message in a later task, which blocks the calling thread. */
export const createSameThreadOpener = (glue: Glue) => (): WorkerPort => {
  let hasEnded = false;
  let listener: (message: unknown) => void = () => {};
  const { receive } = createEngineServer(glue, (message) => {
    if (!hasEnded) listener(message);
  });
  return {
    post: (message) =>
      void setTimeout(() => {
        if (!hasEnded) receive(message as WorkerRequest);
      }),
    onMessage: (newListener) => {
      listener = newListener;
    },
    onError: () => {}, // the engine replies with its errors as messages
    terminate: () => {
      hasEnded = true;
    },
  };
};
