// Runs an engine on the calling thread, with the message interface of a worker.

import type { WorkerPort } from '../platform/platform.ts';
import { createEngineServer, type Glue } from './engine-server.ts';
import type { WorkerRequest } from './messages.ts';

/** Returns a function that opens ports. Each message is handled in a new task on the calling thread, and blocks that thread meanwhile. */
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
    onError: () => {}, // The engine reports errors as messages.
    terminate: () => {
      hasEnded = true;
    },
  };
};
