// An engine on the calling thread with the message interface of a worker.

import type { WorkerPort } from '../platform/platform.ts';
import { createEngineServer, type Glue } from './engine-server.ts';
import type { WorkerRequest } from './messages.ts';

/** Creates ports that handle each message in a later task of the calling thread, which is blocked meanwhile. */
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
    onError: () => {}, // errors from the engine are sent as replies
    terminate: () => {
      hasEnded = true;
    },
  };
};
